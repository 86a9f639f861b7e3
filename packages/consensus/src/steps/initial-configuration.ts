/**
 * The first voting configuration of a cluster: set once, by a node that has none. Which nodes are in it is decided by
 * `bootstrap.ts`; several nodes may set it at the same time, as long as they set the same.
 */
import type { AcceptedState, VotingConfig } from './accepted-state.ts';
import {
  accepted,
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  rejected,
} from './consensus-state.ts';

/** Sets the configuration and a fresh cluster UUID, which becomes final when the first state is committed. */
export function setInitialConfiguration<V>(
  context: ConsensusContext<V>,
  state: ConsensusState<V>,
  initial: { readonly config: VotingConfig; readonly clusterUuid: string },
): ConsensusStep<V, AcceptedState<V>> {
  const last = state.accepted;
  if (last.acceptedConfig.length > 0) return rejected('a voting configuration is already there');
  if (initial.config.length === 0) return rejected('an empty configuration can elect nobody');
  if (last.term !== 0 || state.joinVotes.size > 0) return rejected(`a state of term ${last.term} is already there`);
  const { value, ...header } = {
    ...last,
    acceptedConfig: initial.config,
    committedConfig: initial.config,
    clusterUuid: initial.clusterUuid,
  };
  const next: AcceptedState<V> = { ...header, value: context.stamp(value, header) };
  return accepted(context, { ...state, accepted: next, lastPublishedConfig: initial.config }, 'accepted', next);
}
