// The fields in which the documents of a cluster differ, though they should agree.

import { count, counted } from "../../../report/src/numbers";
import { useApp } from "../context";
import { useLoaded } from "../hooks";
import { Foreign, When } from "../host";
import type { FieldConflict } from "../types";

export function Conflicts({ cluster }: { cluster: number }) {
  const { api } = useApp();
  const [loaded, retry] = useLoaded(() => api.conflicts(cluster), [cluster]);
  return (
    <When loaded={loaded} what="the fields" retry={retry}>
      {({ conflicts, looked_at, of }) =>
        conflicts.length > 0 && (
          <section class="notice warning conflicts" aria-label="Fields that differ">
            <strong>
              The documents differ in {counted(conflicts.length, "field")} in which they should
              agree.{" "}
            </strong>
            {looked_at < of && `Of ${count(of)} documents, ${count(looked_at)} were looked at.`}
            <ul>
              {conflicts.map((conflict) => (
                <li key={conflict.field}>
                  <b>
                    <Foreign text={conflict.field} />
                  </b>
                  : <Values conflict={conflict} />
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </When>
  );
}

function Values({ conflict: { values, different } }: { conflict: FieldConflict }) {
  return (
    <>
      {values.map(({ value, documents }, i) => (
        <>
          {i > 0 && ", "}
          {value === null ? <i>none</i> : <Foreign text={value} />}{" "}
          <span class="muted">in {count(documents)}</span>
        </>
      ))}
      {different > values.length && (
        <span class="muted">, and {counted(different - values.length, "other value")}</span>
      )}
    </>
  );
}
