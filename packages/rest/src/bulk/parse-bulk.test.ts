import { BULK_ACTIONS, type BulkItem, type BulkItems } from '@shoal/coordinator';
import { BytePieces, isShoalError } from '@shoal/core';
import { createNodeRuntime, createSilentLog, ItemSlices } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conditionProblem, idTooLong, validationFailed } from '../documents/write-problems.ts';
import { type BulkDefaults, readAction } from './action-line.ts';
import { parseBulk } from './parse-bulk.ts';

const { sched } = createNodeRuntime({ log: createSilentLog() });
const NOTHING_SAID: BulkDefaults = {
  index: null,
  routing: null,
  requireAlias: false,
  requireDataStream: false,
  sourceFilter: null,
  pipeline: null,
};

/** One line after the other, each action parsed as JSON. */
function naive(body: string, defaults: BulkDefaults): readonly BulkItem[] {
  const lines = body.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.pop() !== '') throw new Error('no newline at the end');
  const items: BulkItem[] = [];
  const problems: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i] === '') continue;
    const action = readAction(Buffer.from(lines[i] ?? ''), i + 1, defaults);
    const line = action.action === 'delete' ? null : lines[++i];
    if (line === undefined) throw new Error(`The bulk request must have a document behind its action in line [${i}]`);
    const isById = action.action === 'delete' || action.action === 'update';
    const { index, id, conditions } = action;
    if (index === '') problems.push('index is missing');
    else if (!id) problems.push(...(isById ? ['id is missing'] : []));
    else if (Buffer.byteLength(id) > 512) problems.push(idTooLong(id, Buffer.byteLength(id)));
    else problems.push(...[conditionProblem(action.action, conditions)].filter((problem) => problem !== null));
    items.push({ ...action, source: line === null ? null : Buffer.from(line) });
  }
  if (items.length === 0) throw validationFailed(['no requests added']);
  if (problems.length > 0) throw validationFailed(problems);
  return items;
}

function itemOf(items: BulkItems, at: number): BulkItem {
  const action = BULK_ACTIONS[items.action(at)] ?? 'index';
  const source = action === 'delete' ? null : Buffer.from(items.source(at));
  return { action, index: items.indexName(at), id: items.id(at), source, ...items.extras(at) };
}

async function outcomeOf(read: () => Promise<unknown> | unknown): Promise<unknown> {
  try {
    return { items: await read() };
  } catch (error) {
    return isShoalError(error) || error instanceof Error ? { error: error.message } : { error };
  }
}

/** The body in one piece. */
const whole = (body: string): BytePieces => new BytePieces([Buffer.from(body)]);
/** The body with a piece for every line, and some that are empty. */
const byLines = (body: string): BytePieces =>
  new BytePieces(body.split(/(?<=\n)/).flatMap((line) => [Buffer.from(line), Buffer.alloc(0)]));

async function expectSame(text: string, defaults: BulkDefaults, body: BytePieces = whole(text)): Promise<void> {
  const parsed = await outcomeOf(async () => {
    const items = await parseBulk(body, defaults, new ItemSlices(sched));
    return Array.from({ length: items.length }, (_, at) => itemOf(items, at));
  });
  expect(parsed).toEqual(await outcomeOf(() => naive(text, defaults)));
}

const blank = fc.constantFrom('', '', '', ' ', '\t', '  ');
const id = fc.oneof(
  fc.constantFrom('1', 'a b', '', 'ä', '\u{1f600}', 'x"y', 'back\\slash', 'x'.repeat(513), 'ü'.repeat(300)),
  fc.string({ maxLength: 4 }),
);
const member = fc.oneof(
  { weight: 6, arbitrary: id.map((value) => ['_id', value] as const) },
  { weight: 6, arbitrary: fc.constantFrom('lib', 'other', '', 'ä').map((value) => ['_index', value] as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<readonly [string, unknown]>(
      ['_id', 7],
      ['_type', '_doc'],
      ['_type', 'other'],
      ['_id', null],
      ['_index', null],
      ['version', null],
      ['dynamic_templates', null],
      ['nothing', null],
      ['routing', 'r'],
      ['require_alias', true],
      ['require_data_stream', true],
      ['_source', ['a']],
      ['op_type', 'create'],
      ['pipeline', 'p'],
      ['retry_on_conflict', 3],
      ['if_seq_no', 1],
      ['if_primary_term', 1],
      ['version', 4],
      ['version_type', 'external'],
      ['what', 1],
      ['_id', {}],
    ),
  },
);
const actionLine = fc
  .tuple(
    fc.constantFrom('index', 'index', 'create', 'update', 'delete', 'upsert'),
    fc.array(member, { maxLength: 3 }),
    fc.array(blank, { minLength: 7, maxLength: 7 }),
  )
  .map(([action, members, [a, b, c, d, e, f, g]]) => {
    const inner = members.map(([name, value]) => `"${name}"${b}:${c}${JSON.stringify(value)}${d}`).join(`,${e}`);
    return `${a}{${b}"${action}"${c}:${d}{${e}${inner}}${f}}${g}`;
  });
const documentLine = fc.constantFrom('{}', '{"a":1}', '', '{"text":"ä"}', '{"index":{}}', 'no json');
const item = fc
  .tuple(actionLine, documentLine, fc.constantFrom('\n', '\n', '\r\n'))
  .map(([action, document, end]) => (action.includes('"delete"') ? action + end : action + end + document + end));
const body = fc.array(
  fc.oneof({ weight: 8, arbitrary: item }, fc.constantFrom('\n', '\r\n', 'x\n', '{"index":{}}\n')),
  {
    maxLength: 6,
  },
);
const defaults: fc.Arbitrary<BulkDefaults> = fc.record({
  index: fc.constantFrom(null, 'usual'),
  routing: fc.constantFrom(null, null, 'r'),
  requireAlias: fc.constantFrom(false, false, true),
  requireDataStream: fc.constantFrom(false, false, true),
  sourceFilter: fc.constantFrom(null, { enabled: true, includes: ['b'], excludes: [] }),
  pipeline: fc.constantFrom(null, null, 'q'),
});

describe('a bulk body', () => {
  test('is read as its lines are, one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(body, defaults, (lines, said) => expectSame(lines.join(''), said)),
      { numRuns: 3_000 },
    );
  });

  test('in pieces is read as it is in one', async () => {
    await fc.assert(
      fc.asyncProperty(body, defaults, (lines, said) => expectSame(lines.join(''), said, byLines(lines.join('')))),
      { numRuns: 2_000 },
    );
  });

  test('with a damaged byte is read, or refused, as its lines are', async () => {
    const damaged = fc
      .tuple(body, fc.nat(), fc.constantFrom('"', '\\', '{', '}', ',', ':', ' ', '\n', '\r', 'x', '\u007f', '\u0001'))
      .map(([lines, at, byte]) => {
        const text = lines.join('');
        const place = text.length === 0 ? 0 : at % text.length;
        return `${text.slice(0, place)}${byte}${text.slice(place + 1)}`;
      })
      .filter((text) => text.endsWith('\n'));
    await fc.assert(
      fc.asyncProperty(damaged, defaults, (text, said) => expectSame(text, said)),
      { numRuns: 3_000 },
    );
  });

  test('must end with a newline', async () => {
    const cut = parseBulk(whole('{"index":{}}\n{}'), NOTHING_SAID, new ItemSlices(sched));
    await expect(cut).rejects.toThrow('The bulk request must be terminated by a newline [\\n]');
  });

  test('of many items gives each its place, whatever was made for them at first', async () => {
    const lines = Array.from({ length: 5_000 }, (_, i) => `{"create":{"_index":"i${i % 3}","_id":"${i}"}}\n{}\n`);
    const items = await parseBulk(whole(lines.join('')), NOTHING_SAID, new ItemSlices(sched));
    expect(items.length).toBe(5_000);
    expect(itemOf(items, 4_999)).toMatchObject({ action: 'create', index: 'i1', id: '4999' });
    expect(items.targets.map(({ name }) => name)).toEqual(['i0', 'i1', 'i2']);
  });
});

test('members that are null say nothing', () => {
  const members = ['_index', 'routing', 'version', 'version_type', 'if_seq_no', 'dynamic_templates', '_source', 'x'];
  const metadata = Object.fromEntries(members.map((name) => [name, null]));
  const line = Buffer.from(JSON.stringify({ index: { ...metadata, _id: '1' } }));
  const defaults = { ...NOTHING_SAID, index: 'lib' };
  expect(readAction(line, 1, defaults)).toEqual(readAction(Buffer.from('{"index":{"_id":"1"}}'), 1, defaults));
});
