export { createCoordinator } from './core/coordination-core.ts';
export type {
  BootstrapPlan,
  CoordinatorCore,
  CoordinatorEffect,
  CoordinatorEvent,
  FailureCause,
  ProposalResult,
} from './effects/coordination-events.ts';
export { type CoordinationSettings, DEFAULT_COORDINATION_SETTINGS } from './effects/coordination-settings.ts';
export type { AcceptedState, DurableState, NodeChanges, StateHeader, ValueModel } from './steps/accepted-state.ts';
export { ALL_RULES } from './steps/consensus-rules.ts';
export { initialDurableState } from './steps/consensus-state.ts';
export type { CoordRequest, CoordResponse } from './steps/coord-message.ts';
