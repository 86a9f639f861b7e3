/** Some other rule of allocation says no: its own text, for rules that have no cause of their own here. */
import type { CopyCause } from './copy-case.ts';

export const forbidden: CopyCause = {
  name: 'forbidden',
  explain: ({ copy, nearest, status }) => ({
    reason:
      nearest?.decisions[0] === undefined
        ? `Copies of [${copy.index}] have no node [${status}]`
        : `Copies of [${copy.index}] may not be on [${nearest.node.name}]: ${nearest.decisions.map(({ explanation }) => explanation).join('; ')}`,
    mends: [
      {
        kind: 'atNode',
        command: `POST /_cluster/allocation/explain ${JSON.stringify({ index: copy.index, shard: copy.shard, primary: copy.isPrimary })}`,
        text: 'tells what each node says',
      },
    ],
  }),
};
