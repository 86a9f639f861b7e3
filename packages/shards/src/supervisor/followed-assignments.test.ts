import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterState, indexMetadata, LOCAL_NODE, routing } from './cluster-states.test-support.ts';
import { FollowedAssignments } from './followed-assignments.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const COPIES: readonly Partial<ShardRouting>[] = [
  {},
  { state: 'STARTED' },
  { nodeId: 'another' },
  { state: 'UNASSIGNED', nodeId: null, allocationId: null },
];

/** An index as it is made again and again: with another uuid, term, or copy. */
interface Drawn {
  readonly name: string;
  readonly life: number;
  readonly term: number;
  readonly copy: number;
}

const drawn = fc.record({
  name: fc.constantFrom(...NAMES),
  life: fc.nat(1),
  term: fc.integer({ min: 1, max: 2 }),
  copy: fc.nat(COPIES.length - 1),
});
const draws = fc.uniqueArray(drawn, { selector: ({ name }) => name, maxLength: NAMES.length });

/** Parts are the same objects where they say the same, as those of states that follow one another. */
function stateMaker(): (indices: readonly Drawn[]) => ClusterState {
  const metadata = new Map<string, IndexMetadata>();
  const copies = new Map<string, readonly (readonly ShardRouting[])[]>();
  const once = <T>(known: Map<string, T>, key: string, make: () => T): T => {
    const value = known.get(key) ?? make();
    known.set(key, value);
    return value;
  };
  return (indices) => {
    const state = clusterState({ indices: [] });
    const uuid = ({ name, life }: Drawn): string => `${name}-${life}`;
    const metadataOf = (it: Drawn): IndexMetadata =>
      once(metadata, `${uuid(it)} ${it.term}`, () =>
        indexMetadata({ name: it.name, uuid: uuid(it), primaryTerms: [it.term] }),
      );
    const shardsOf = (it: Drawn): readonly (readonly ShardRouting[])[] =>
      once(copies, `${uuid(it)} ${it.copy}`, () => [
        [routing({ index: it.name, indexUuid: uuid(it), allocationId: `${uuid(it)}!`, ...COPIES[it.copy] })],
      ]);
    return {
      ...state,
      metadata: { ...state.metadata, indices: new Map(indices.map((it) => [it.name, metadataOf(it)])) },
      routing: { version: 1, indices: new Map(indices.map((it) => [it.name, shardsOf(it)])) },
    };
  };
}

test('copies are those that one look at the last state alone finds, and what is others than before is told', () => {
  fc.assert(
    fc.property(fc.array(draws, { maxLength: 6 }), (states) => {
      const make = stateMaker();
      const followed = new FollowedAssignments(LOCAL_NODE);
      for (const indices of states) {
        const state = make(indices);
        const before = new Map(followed.all);
        const changed = followed.follow(state);
        const alone = new FollowedAssignments(LOCAL_NODE);
        alone.follow(state);
        expect(new Map([...followed.all].sort())).toEqual(new Map([...alone.all].sort()));
        for (const key of new Set([...before.keys(), ...followed.all.keys()])) {
          const [was, is] = [before.get(key), followed.all.get(key)];
          expect(changed.has(key), key).toBe(was?.routing !== is?.routing || was?.index !== is?.index);
        }
      }
    }),
  );
});

test('a state that is the same changes nothing', () => {
  const make = stateMaker();
  const followed = new FollowedAssignments(LOCAL_NODE);
  const indices = [{ name: 'a', life: 0, term: 1, copy: 0 }];
  expect([...followed.follow(make(indices))]).toEqual(['a-0/0']);
  expect(followed.follow(make(indices)).size).toBe(0);
  expect([...followed.follow(make([]))]).toEqual(['a-0/0']);
  expect(followed.all.size).toBe(0);
});
