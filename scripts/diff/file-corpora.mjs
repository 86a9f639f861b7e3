/**
 * Documents from files: packages (one JSON object a line) and an access log in the combined format. Either may be gzipped.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export const PACKAGES_MAPPING = {
  properties: {
    name: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    version: { type: 'keyword' },
    section: { type: 'keyword' },
    priority: { type: 'keyword' },
    architecture: { type: 'keyword' },
    maintainer: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    size: { type: 'long' },
    installed_size: { type: 'integer' },
    description: { type: 'text', analyzer: 'english' },
    depends: { type: 'keyword' },
    homepage: { type: 'keyword', ignore_above: 40 },
  },
};

export const LOG_MAPPING = {
  properties: {
    client: { type: 'ip' },
    time: { type: 'date', format: 'dd/MMM/yyyy:HH:mm:ss Z' },
    method: { type: 'keyword' },
    path: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    status: { type: 'short' },
    bytes: { type: 'long' },
    referrer: { type: 'keyword' },
    agent: { type: 'text' },
  },
};

const LOG_LINE = /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d+) (\S+) "([^"]*)" "([^"]*)"/;

/** Every line, or `most` of them spread evenly over the file. */
function spreadLines(path, most) {
  const bytes = readFileSync(path);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const lines = (isGzip ? gunzipSync(bytes) : bytes).toString().trim().split('\n');
  const step = Math.max(1, lines.length / most);
  return Array.from({ length: Math.min(most, lines.length) }, (_, at) => lines[Math.floor(at * step)]);
}

export function packageDocuments(path, most) {
  return spreadLines(path, most).map((line, at) => ({ id: `p${at}`, source: JSON.parse(line) }));
}

export function logDocuments(path, most) {
  const found = [];
  for (const line of spreadLines(path, most)) {
    const match = LOG_LINE.exec(line);
    if (match === null) continue;
    const [, client, time, method, target, status, bytes, referrer, agent] = match;
    found.push({
      id: `l${found.length}`,
      source: {
        client,
        time,
        method,
        path: target,
        status: Number(status),
        ...(bytes === '-' ? {} : { bytes: Number(bytes) }),
        ...(referrer === '-' ? {} : { referrer }),
        agent,
      },
    });
  }
  return found;
}
