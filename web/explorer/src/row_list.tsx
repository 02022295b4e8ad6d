// The rows of a source as a list, with how many there are, what failed, and what to do if there are
// none.

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { count, counted } from "../../report/src/numbers";
import type { RowSource } from "./cluster_source";
import { remPixels, useNarrow } from "./hooks";
import { ErrorNotice } from "./host";
import { VirtualList, type ListedRow } from "./virtual_list";

// They are asked for before the list knows how many are in sight.
const kFirstRows = 30;
const kRowRems = 2.75;
const kNarrowRowRems = 4.75;

/** A source that draws again when it has got more. */
export function useSource<Row>(
  make: (changed: () => void) => RowSource<Row>,
  inputs: readonly unknown[],
): RowSource<Row> {
  const [, setVersion] = useState(0);
  const source = useMemo(() => make(() => setVersion((n) => n + 1)), inputs);
  useEffect(() => {
    source.need(0, kFirstRows);
    return () => source.stop();
  }, [source]);
  return source;
}

interface ListProps<Row> {
  source: RowSource<Row>;
  label: string;
  /** What a row is: "cluster". */
  noun: string;
  /** Where the list was scrolled to is remembered by this name. */
  place: string;
  nothing: string;
  row: (row: Row) => ListedRow;
  /** A row that is on its way; only numbered rows are known before they are there. */
  waiting: (i: number) => ListedRow;
  children?: ComponentChildren;
}

export function RowList<Row>({ source, label, noun, place, nothing, row, waiting, children }: ListProps<Row>) {
  const narrow = useNarrow();
  const { progress, length } = source;
  const onShow = useCallback((first: number, last: number) => source.need(first, last), [source]);
  const rowHeight = Math.round((narrow ? kNarrowRowRems : kRowRems) * remPixels());
  return (
    <>
      <div class="list-head">
        <p class="status" role="status">
          {statusOf(source, noun)}
        </p>
        {children}
      </div>
      {progress.error !== null && (
        <ErrorNotice error={progress.error} retry={() => source.retry()} />
      )}
      {length === 0 && progress.done && !progress.loading && progress.error === null && (
        <p class="empty">{nothing}</p>
      )}
      {length > 0 && (
        <VirtualList
          key={place}
          label={label}
          place={place}
          length={length}
          rowHeight={rowHeight}
          open={!progress.done}
          onShow={onShow}
          row={(i) => {
            const found = source.row(i);
            return found === undefined ? waiting(i) : row(found);
          }}
        />
      )}
    </>
  );
}

function statusOf<Row>({ progress, length }: RowSource<Row>, noun: string): string {
  const { found, lookedAt, of, done, error } = progress;
  if (error !== null) return "";
  if (done) return counted(length, noun);
  const soFar = `${counted(found, noun)} so far`;
  if (of === null) return soFar;
  return `${soFar}; looked at ${count(lookedAt)} of ${counted(of, noun)}`;
}
