import { expect, test } from 'vitest';
import { indexOf } from '../../../coordinator/src/coordinator.test-support.ts';
import { lines, type TestNode, testNode } from '../http.test-support.ts';

async function library(): Promise<TestNode> {
  const node = testNode({ indices: [indexOf('lib', { mapping: { properties: { tag: { type: 'keyword' } } } })] });
  const parts = [1, 2, 3].flatMap((id) => [{ index: { _id: String(id) } }, { tag: id === 1 ? 'a' : 'x' }]);
  await node.ask('POST', '/lib/_bulk', lines(...parts));
  return node;
}

interface Explained {
  readonly _id: string;
  readonly _score: number;
  readonly _explanation: { readonly value: number; readonly description: string };
}

const summary = (hits: readonly Explained[]): unknown[] =>
  hits.map(({ _id, _score, _explanation }) => [_id, _score.toFixed(5), _explanation.value.toFixed(5)]);

/** Documents 2 and 3 match the second query alike; only the first two documents are within its window. */
const BODY = {
  query: { match_all: {} },
  explain: true,
  rescore: {
    window_size: 2,
    query: { rescore_query: { constant_score: { filter: { term: { tag: 'x' } } } }, query_weight: 0.5 },
  },
};
const EXPECTED = [
  ['2', '1.50000', '1.50000'],
  ['1', '0.50000', '0.50000'],
  ['3', '0.50000', '0.50000'],
];

test('a document behind the window of a rescore is explained without the second query', async () => {
  const { json } = await (await library()).ask('GET', '/lib/_search', BODY);
  expect(summary(json.hits.hits)).toEqual(EXPECTED);
  expect(json.hits.hits[2]._explanation.description).toBe('product of:');
});

test('searches of one point in time are each explained by their own windows', async () => {
  const node = await library();
  const { json } = await node.ask('POST', '/lib/_pit?keep_alive=1m');
  const pit = { id: json.id };
  const wider = { ...BODY, pit, rescore: { ...BODY.rescore, window_size: 3 } };
  const [narrow, wide] = await Promise.all([
    node.ask('GET', '/_search', { ...BODY, pit }),
    node.ask('GET', '/_search', wider),
  ]);
  expect(summary(narrow.json.hits.hits)).toEqual(EXPECTED);
  expect(summary(wide.json.hits.hits)).toEqual([
    ['2', '1.50000', '1.50000'],
    ['3', '1.50000', '1.50000'],
    ['1', '0.50000', '0.50000'],
  ]);
});
