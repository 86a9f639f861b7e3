import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runOneEvent } from './run-one-event.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-one-event-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the event whose code a build keeps goes through every plugin of its pipeline', async () => {
  const output = join(folder, 'out.json');
  await runOneEvent(output);
  expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({
    '@timestamp': '2026-01-01T00:00:00.000Z',
    source: { address: '127.0.0.1' },
    http: { response: { status_code: 200 } },
  });
});
