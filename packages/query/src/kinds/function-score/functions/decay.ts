/**
 * `gauss`, `exp` and `linear`: one at an origin, less with the distance from it.
 */
import { illegalArgument, type JsonNode, parsingException, type ValueReader } from '@shoal/core';
import { oneOf } from '../../../members/one-of.ts';
import { parseOrigin } from '../../../members/origin.ts';
import { readNumber, readObject, readQueryValue, readString, unsupported } from '../../../members/request-values.ts';
import { type QueryValue, readValue } from '../../../node/query-node.ts';

const VALUE_MODES = ['min', 'max', 'avg', 'sum'] as const;
const DECAY_CURVES = ['gauss', 'exp', 'linear'] as const;

/** Which of the values of a field counts. */
export type ValueMode = (typeof VALUE_MODES)[number];
export type DecayCurve = (typeof DECAY_CURVES)[number];

/** Falls with the distance from `origin`; dates are as the user wrote them. */
export interface DecayFunction {
  readonly kind: 'decay';
  readonly curve: DecayCurve;
  readonly field: string;
  /** null: now, for dates alone. */
  readonly origin: QueryValue;
  /** Distance at which the score is `decay`. */
  readonly scale: QueryValue;
  /** Distance up to which it is 1; null: none. */
  readonly offset: QueryValue;
  /** Between 0 and 1, both excluded. */
  readonly decay: number;
  readonly mode: ValueMode;
}

export function parseDecay(node: JsonNode, name: string): DecayFunction {
  const curve: DecayCurve = name === 'gauss' ? 'gauss' : name === 'exp' ? 'exp' : 'linear';
  let field: string | null = null;
  let mode: ValueMode = 'min';
  const parts = { origin: null as QueryValue, scale: null as QueryValue, offset: null as QueryValue, decay: 0.5 };
  for (const member of readObject(node, name).members) {
    if (member.name === 'multi_value_mode') {
      mode = oneOf(VALUE_MODES, readString(member.value, member.name), 'multi_value_mode');
    } else if (field === null) {
      field = member.name;
      for (const part of readObject(member.value, name).members) {
        if (part.name === 'origin') parts.origin = parseOrigin(part.value);
        else if (part.name === 'scale') parts.scale = readQueryValue(part.value, name);
        else if (part.name === 'offset') parts.offset = readQueryValue(part.value, name);
        else if (part.name === 'decay') parts.decay = readNumber(part.value, 'decay');
        else throw unsupported(name, part);
      }
    } else throw parsingException(`malformed score function score parameters.`, member.at);
  }
  if (field === null) throw parsingException('malformed score function score parameters.', node.at);
  if (parts.scale === null) throw parsingException('[scale] must be set for a decay function.', node.at);
  if (parts.decay <= 0 || parts.decay >= 1) {
    throw illegalArgument('[decay] must be set in the range (0..1).');
  }
  return { kind: 'decay', curve, field, mode, ...parts };
}

export function readDecay(r: ValueReader): DecayFunction {
  const decay = r.number('decay');
  if (decay <= 0 || decay >= 1) r.refuse('decay', 'a number between 0 and 1');
  return {
    kind: 'decay',
    curve: r.oneOf('curve', DECAY_CURVES),
    field: r.string('field'),
    origin: readValue(r, 'origin'),
    scale: readValue(r, 'scale'),
    offset: readValue(r, 'offset'),
    decay,
    mode: r.oneOf('mode', VALUE_MODES),
  };
}
