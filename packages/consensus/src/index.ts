export { createCoordination } from './core/coordination-core.ts';
export type {
  BootstrapPlan,
  CoordinationCore,
  CoordinationEffect,
  CoordinationEvent,
  FailureCause,
  ProposalResult,
} from './effects/coordination-events.ts';
export { type CoordinationSettings, DEFAULT_COORDINATION_SETTINGS } from './effects/coordination-settings.ts';
export { UNHEALTHY } from './leader/follower-checks.ts';
export type { AcceptedState, DurableState, NodeChanges, StateHeader, ValueModel } from './steps/accepted-state.ts';
export { initialDurableState } from './steps/consensus-state.ts';
export type { CoordRequest, CoordResponse } from './steps/coord-message.ts';
export { isDuplicateReason } from './steps/duplicate-node.ts';
export { TERM_MAX } from './steps/term-reach.ts';
