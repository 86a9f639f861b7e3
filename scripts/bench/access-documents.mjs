/**
 * Documents of an access log, one a line of JSON with `ts`, `clientip`, `request`, `status` and `bytes`: of a file, or made up.
 */
import { readFileSync } from 'node:fs';
import { randomFrom } from './zipf-corpus.mjs';

const SEED = 7;
const START_MS = Date.UTC(2024, 0, 1);
/** Mean time between two requests. */
const GAP_MS = 2_600;
const REQUESTS = 1_500;
const CLIENTS = 60_000;
const STATUSES = [200, 200, 200, 200, 200, 200, 200, 304, 304, 301, 404, 206, 500, 403];

export const ACCESS_MAPPINGS = {
  properties: {
    ts: { type: 'date' },
    clientip: { type: 'ip' },
    request: { type: 'keyword' },
    status: { type: 'integer' },
    bytes: { type: 'long' },
  },
};

/** Lines of a file of JSON documents; action lines of `_bulk` between them are left out. */
export function accessLinesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"index":') && !line.startsWith('{"create":'));
}

/** Lines that are the same on every machine: few requests have many hits, most clients few. */
export function madeAccessLines(count) {
  const random = randomFrom(SEED);
  const rare = (size, exponent) => Math.trunc(size * random() ** exponent);
  const lines = [];
  let timeMs = START_MS;
  for (let i = 0; i < count; i++) {
    timeMs += Math.ceil(-Math.log(1 - random()) * GAP_MS);
    const client = rare(CLIENTS, 2);
    const request = rare(REQUESTS, 4);
    lines.push(
      JSON.stringify({
        ts: new Date(timeMs).toISOString(),
        clientip: `${1 + (client % 223)}.${client % 251}.${client >> 8}.${(client * 7) % 256}`,
        request: `/section-${request % 12}/page-${request}.html`,
        status: STATUSES[rare(STATUSES.length, 1)],
        // A page has a size of its own, but for every other request of it.
        bytes: random() < 0.5 ? (request * 7_919) % 60_000 : Math.trunc(Math.exp(4 + 12 * random())),
      }),
    );
  }
  return lines;
}
