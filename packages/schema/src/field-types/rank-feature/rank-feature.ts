/**
 * Declaration of `rank_feature`, a positive number that documents are scored by, and of `rank_features`, one for each key.
 */
import { FloatNumber } from '@shoal/core';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { flag, META, type ParameterTable } from '../contract/parameter-rule.ts';

const PARAMETERS: ParameterTable = new Map([
  ['meta', META],
  ['positive_score_impact', flag(true)],
]);

/** Features are indexed, and have no values by document that requests may ask for. */
const IMPLIED: ReadonlyMap<string, unknown> = new Map([['index', true]]);

export const RANK_FEATURE: DeclaredType = {
  parameters: PARAMETERS,
  implied: IMPLIED,
  check: () => {},
  settings: (value) => ({ ...NO_SETTINGS, isInverse: value('positive_score_impact') === false }),
  storedValue: (value) => new FloatNumber(Number(value)),
};

export const RANK_FEATURES: DeclaredType = {
  ...RANK_FEATURE,
  implied: new Map(),
  isWhole: (value) => !Array.isArray(value),
  keyKind: 'rank_feature',
  storedValue: () => null,
};
