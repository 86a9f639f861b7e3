/** `throttling`: how many recoveries a node takes part in at a time. */
import { isPrimaryActive } from '../../reading/active-copy.ts';
import { isReturningTo } from '../rules/returning-copy.ts';
import { type Decider, type DeciderInput, type Judgement, no, throttle, yes } from './decider.ts';

export const throttling: Decider = {
  name: 'throttling',
  // A primary that moves recovers on its new node as a replica does.
  canAllocate: (input) =>
    input.copy.isPrimary && input.copy.nodeId === null ? throttlePrimary(input) : throttleReplica(input),
};

function throttlePrimary({ rules, counts, node }: DeciderInput): Judgement {
  const limit = rules.initialPrimaries;
  if (limit === null) return yes(() => 'no limit of initial primary recoveries is set');
  const running = counts.initialPrimaries(node.id);
  return running >= limit.value
    ? throttle(
        () =>
          `reached the limit of ongoing initial primary recoveries [${running}], cluster setting [${limit.setting}=${limit.value}]`,
      )
    : yes(() => `below primary recovery limit of [${limit.value}]`);
}

function throttleReturning({ rules, counts, node }: DeciderInput): Judgement {
  const running = counts.returningRecoveries(node.id);
  return running >= rules.returningRecoveriesMax
    ? throttle(() => `reached the limit of copies [${running}] that return at a time to a node where they are in sync`)
    : yes(() => 'the copy on the disk of the node is in sync: no limit of recoveries is for it');
}

function throttleReplica(input: DeciderInput): Judgement {
  const { rules, counts, shardCopies, node } = input;
  if (rules.returningRecoveriesMax > 0 && isReturningTo(input, input.copy, node)) return throttleReturning(input);
  const { incomingRecoveries, outgoingRecoveries, concurrentRecoveriesSetting } = rules;
  const also = `(can also be set via [${concurrentRecoveriesSetting}])`;
  const incoming = counts.incomingRecoveries(node.id);
  if (incoming >= incomingRecoveries.value) {
    const { setting, value } = incomingRecoveries;
    return throttle(
      () =>
        `reached the limit of incoming shard recoveries [${incoming}], cluster setting [${setting}=${value}] ${also}`,
    );
  }
  const source = shardCopies[0]?.nodeId ?? null;
  if (source === null || !isPrimaryActive(shardCopies)) {
    return no(() => 'primary shard for this replica is not yet active');
  }
  const outgoing = counts.outgoingRecoveries(source);
  if (outgoing >= outgoingRecoveries.value) {
    const { setting, value } = outgoingRecoveries;
    return throttle(
      () =>
        `reached the limit of outgoing shard recoveries [${outgoing}] on the node [${source}] which holds the primary, cluster setting [${setting}=${value}] ${also}`,
    );
  }
  return yes(
    () =>
      `below shard recovery limit of outgoing: [${outgoing} < ${outgoingRecoveries.value}] incoming: [${incoming} < ${incomingRecoveries.value}]`,
  );
}
