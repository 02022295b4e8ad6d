"""What ``spark-submit`` runs: the command ``lookalike-spark``."""

from lookalike._spark_command import main

if __name__ == "__main__":
    main()
