"""
DuckDB as a peer of `bench-aggregations.mjs`: loads lines of JSON into a table on disk, runs queries on one thread, and prints for
each its rows and the processor time that it took.

Arguments: the file of lines, and a folder for the database. Queries come as JSON on standard input: {"repeats": N, "queries":
[[name, sql], ...]}. Answers go to standard output: {"version": ..., "results": [{"rows": [...], "cpuMs": median}, ...]}.
"""

import json
import os
import resource
import sys

import duckdb

WARM_RUNS = 5
COLUMNS = "{ts: 'TIMESTAMP', clientip: 'VARCHAR', request: 'VARCHAR', status: 'INTEGER', bytes: 'BIGINT'}"


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1000


def median_of(connection, sql, repeats):
    for _ in range(WARM_RUNS):
        rows = connection.execute(sql).fetchall()
    times = []
    for _ in range(repeats):
        before = cpu_ms()
        rows = connection.execute(sql).fetchall()
        times.append(cpu_ms() - before)
    return {"rows": rows, "cpuMs": sorted(times)[repeats // 2]}


def main(lines, folder):
    asked = json.load(sys.stdin)
    connection = duckdb.connect(os.path.join(folder, "lines.duckdb"))
    connection.execute("SET threads = 1")
    source = f"read_json(?, format = 'newline_delimited', columns = {COLUMNS})"
    connection.execute(f"CREATE TABLE lines AS SELECT * FROM {source}", [lines])
    connection.execute("CHECKPOINT")
    results = [median_of(connection, sql, asked["repeats"]) for _, sql in asked["queries"]]
    json.dump({"version": duckdb.__version__, "results": results}, sys.stdout, default=str)


main(*sys.argv[1:])
