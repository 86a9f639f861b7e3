/**
 * Declaration of `geo_shape` and `shape`: points, lines and areas on the globe or in a plane, as GeoJSON or well-known text.
 *
 * Parameters of the grids of cells that older versions kept shapes in (`tree`, `precision`, `strategy` and their kin) are refused:
 * answers of such a field are coarser than those given here.
 */
import { illegalArgument } from '@shoal/core';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import {
  COMMON_PARAMETERS,
  flag,
  indexFlag,
  type ParameterEntries,
  type ParameterRule,
} from '../contract/parameter-rule.ts';

const LEFT = 'LEFT';

/** Names of the two orientations, each with what it is printed as. */
const ORIENTATIONS: ReadonlyMap<string, string> = new Map([
  ['right', 'RIGHT'],
  ['counterclockwise', 'RIGHT'],
  ['ccw', 'RIGHT'],
  ['left', LEFT],
  ['clockwise', LEFT],
  ['cw', LEFT],
]);

const ORIENTATION: ParameterRule = {
  kind: 'parsed',
  otherwise: null,
  change: 'always',
  parse: (value) => {
    const found = ORIENTATIONS.get(String(value).toLowerCase());
    if (found === undefined) throw illegalArgument(`Unknown orientation [${String(value)}]`);
    return found;
  },
};

const PARAMETERS: ParameterEntries = [
  ...COMMON_PARAMETERS,
  ['orientation', ORIENTATION],
  ['coerce', indexFlag(false)],
  ['ignore_malformed', indexFlag(false)],
  ['ignore_z_value', flag(true, 'always')],
];

export const GEO_SHAPE: DeclaredType = {
  isWhole: (value) => !Array.isArray(value),
  parameters: new Map([...PARAMETERS, ['doc_values', flag(true)]]),
  check: () => {},
  settings: (value) => ({
    ...NO_SETTINGS,
    ignoresZ: value('ignore_z_value') !== false,
    hasClockwiseShells: value('orientation') === LEFT,
  }),
  // A shape has no stored form: `store` is taken, and nothing is shown.
  storedValue: () => null,
};

/** Shapes in a plane have no values by document. */
export const SHAPE: DeclaredType = { ...GEO_SHAPE, parameters: new Map(PARAMETERS) };
