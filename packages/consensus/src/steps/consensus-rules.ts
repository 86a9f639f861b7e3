/**
 * The safety rules of the consensus, each with a switch, so that tests can take one out and see the loss it prevents.
 *
 * Product code passes `ALL_RULES` and nothing else. A rule that can be taken out without any test failing is either not
 * needed or not tested: the mutation tests beside the simulation keep that list honest.
 */
export interface ConsensusRules {
  /** A node enters only terms above its own: one vote a term. */
  readonly termStrictlyHigher: boolean;
  /** Votes count only in a term that this process entered itself: a rebooted leader must not publish again in its old term. */
  readonly startedJoinSinceReboot: boolean;
  /** The candidate must be at least as fresh as each voter. */
  readonly voterFreshness: boolean;
  readonly electionQuorumInAcceptedConfig: boolean;
  readonly electionQuorumInCommittedConfig: boolean;
  readonly publishQuorumInNewConfig: boolean;
  readonly publishQuorumInCommittedConfig: boolean;
  /** A new configuration only when the last one is committed. */
  readonly oneReconfigurationAtATime: boolean;
  /** A leader proposes only a configuration whose quorum voted for it. */
  readonly joinQuorumForNewConfig: boolean;
  /** Within a term only a higher version replaces the accepted state. */
  readonly versionGrowsWithinTerm: boolean;
  /** A leader proposes only upon its own last proposal. */
  readonly ownProposalAcceptedFirst: boolean;
  /** The term is durable before the vote leaves. */
  readonly persistTermBeforeJoin: boolean;
  /** The state is durable before its acceptance is told. */
  readonly persistAcceptedBeforeResponse: boolean;
}

export const ALL_RULES: ConsensusRules = {
  termStrictlyHigher: true,
  startedJoinSinceReboot: true,
  voterFreshness: true,
  electionQuorumInAcceptedConfig: true,
  electionQuorumInCommittedConfig: true,
  publishQuorumInNewConfig: true,
  publishQuorumInCommittedConfig: true,
  oneReconfigurationAtATime: true,
  joinQuorumForNewConfig: true,
  versionGrowsWithinTerm: true,
  ownProposalAcceptedFirst: true,
  persistTermBeforeJoin: true,
  persistAcceptedBeforeResponse: true,
};
