/**
 * Types of similarities that an index may declare: the settings of each, their defaults and bounds.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { BM25, type LengthNormalization, type Similarity, type SimilarityScript } from '../mapping/similarity.ts';
import { parseBoolean } from './setting-values.ts';

/** Settings of one similarity by their names. */
export type SimilaritySettings = ReadonlyMap<string, string>;

const NORMALIZATION_SETTINGS = [
  'normalization',
  'normalization.h1.c',
  'normalization.h2.c',
  'normalization.h3.c',
  'normalization.z.z',
];

/** Members of a script; scripts of similarities are given no parameters. */
const SCRIPT_MEMBER = /^(?:source|id|lang|params\..+|options\..+)$/;

const NO_SCRIPT = 'must specify either [source] for an inline script or [id] for a stored script';

/** Models and effects of older versions, refused by name. */
const GONE_MODELS: readonly string[] = ['be', 'd', 'p'];
const GONE_EFFECT = 'no';

/** Readers of the settings of each type. @throws ShoalError for settings that are wrong */
export const SIMILARITY_TYPES: ReadonlyMap<string, (group: SimilaritySettings) => Similarity> = new Map([
  ['BM25', readBm25],
  ['boolean', readBoolean],
  ['DFR', readDfr],
  ['IB', readIb],
  ['DFI', readDfi],
  ['LMDirichlet', readDirichlet],
  ['LMJelinekMercer', readJelinekMercer],
  ['scripted', readScripted],
]);

function readBoolean(group: SimilaritySettings): Similarity {
  checkNames('boolean', group, []);
  return { kind: 'boolean' };
}

function readDfr(group: SimilaritySettings): Similarity {
  checkNames('DFR', group, ['basic_model', 'after_effect', ...NORMALIZATION_SETTINGS]);
  const [model, effect] = [group.get('basic_model')?.toLowerCase(), group.get('after_effect')?.toLowerCase()];
  const basicModel = oneOf(model, ['g', 'if', 'in', 'ine'] as const);
  if (basicModel === null) {
    if (GONE_MODELS.includes(model ?? ''))
      throw illegalArgument(`Basic model [${model}] isn't supported anymore, please use another model.`);
    throw illegalArgument(`Unsupported BasicModel [${model ?? null}], expected one of [ine, in, g, if]`);
  }
  const afterEffect = oneOf(effect, ['b', 'l'] as const);
  if (afterEffect === null) {
    if (effect === GONE_EFFECT)
      throw illegalArgument(`After effect [${effect}] isn't supported anymore, please use another effect.`);
    throw illegalArgument(`Unsupported AfterEffect [${effect ?? null}], expected one of [b, l]`);
  }
  return { kind: 'DFR', basicModel, afterEffect, normalization: readNormalization(group) };
}

function readIb(group: SimilaritySettings): Similarity {
  checkNames('IB', group, ['distribution', 'lambda', ...NORMALIZATION_SETTINGS]);
  const distribution = oneOf(group.get('distribution'), ['ll', 'spl'] as const);
  if (distribution === null) throw illegalArgument(`Unsupported Distribution [${group.get('distribution') ?? null}]`);
  const lambda = oneOf(group.get('lambda'), ['df', 'ttf'] as const);
  if (lambda === null) throw illegalArgument(`Unsupported Lambda [${group.get('lambda') ?? null}]`);
  return { kind: 'IB', distribution, lambda, normalization: readNormalization(group) };
}

function readDfi(group: SimilaritySettings): Similarity {
  checkNames('DFI', group, ['independence_measure']);
  const name = group.get('independence_measure');
  const measure = oneOf(name, ['standardized', 'saturated', 'chisquared'] as const);
  if (measure !== null) return { kind: 'DFI', measure };
  throw illegalArgument(
    `Unsupported IndependenceMeasure [${name ?? null}], expected one of [standardized, saturated, chisquared]`,
  );
}

function readDirichlet(group: SimilaritySettings): Similarity {
  checkNames('LMDirichlet', group, ['mu']);
  return { kind: 'LMDirichlet', mu: readPositive(group, 'mu', 'mu', 2000) };
}

function readJelinekMercer(group: SimilaritySettings): Similarity {
  checkNames('LMJelinekMercer', group, ['lambda']);
  const lambda = readFloat(group, 'lambda', 0.1);
  if (!(lambda > 0 && lambda <= 1)) throw illegalArgument('lambda must be in the range (0 .. 1]');
  return { kind: 'LMJelinekMercer', lambda };
}

/** A real server does not look at other settings of it. */
function readScripted(group: SimilaritySettings): Similarity {
  const script = readScript(group, 'script');
  if (script === null) throw illegalArgument(NO_SCRIPT);
  return { kind: 'scripted', script, weightScript: readScript(group, 'weight_script') };
}

/** null where there is none. */
function readScript(group: SimilaritySettings, name: string): SimilarityScript | null {
  if (![...group.keys()].some((key) => key.startsWith(`${name}.`))) return null;
  const unknown = [...group.keys()].find(
    (key) => key.startsWith(`${name}.`) && !SCRIPT_MEMBER.test(key.slice(name.length + 1)),
  );
  if (unknown !== undefined)
    throw new ShoalError(
      'x_content_parse_exception',
      400,
      `[1:2] [script] unknown field [${unknown.slice(name.length + 1)}]`,
    );
  const [source, id] = [group.get(`${name}.source`) ?? null, group.get(`${name}.id`) ?? null];
  if (source === null && id === null) throw illegalArgument(NO_SCRIPT);
  return { lang: group.get(`${name}.lang`) ?? 'painless', source, id };
}

function readNormalization(group: SimilaritySettings): LengthNormalization {
  const kind = group.get('normalization');
  switch (kind) {
    case 'no':
      return { kind };
    case 'h1':
    case 'h2':
      return { kind, c: readPositive(group, `normalization.${kind}.c`, 'c', 1) };
    case 'h3':
      return { kind, mu: readPositive(group, 'normalization.h3.c', 'mu', 800) };
    case 'z': {
      const z = readFloat(group, 'normalization.z.z', 0.3);
      if (!(z > 0 && z < 0.5)) throw illegalArgument(`illegal z value: ${printed(z)}, must be in the range (0 .. 0.5)`);
      return { kind, z };
    }
    default:
      throw illegalArgument(`Unsupported Normalization [${kind ?? null}]`);
  }
}

function readPositive(group: SimilaritySettings, key: string, name: string, otherwise: number): number {
  const value = readFloat(group, key, otherwise);
  if (value >= 0 && Number.isFinite(value)) return value;
  throw illegalArgument(`illegal ${name} value: ${printed(value)}, must be a non-negative finite value`);
}

function oneOf<Name extends string>(name: string | undefined, names: readonly Name[]): Name | null {
  return names.find((one) => one === name) ?? null;
}

function readBm25(group: SimilaritySettings): Similarity {
  checkNames('BM25', group, ['k1', 'b', 'discount_overlaps']);
  const k1 = readPositive(group, 'k1', 'k1', 1.2);
  const b = readFloat(group, 'b', 0.75);
  if (!(b >= 0 && b <= 1)) throw illegalArgument(`illegal b value: ${printed(b)}, must be between 0 and 1`);
  const overlaps = group.get('discount_overlaps');
  const discountsOverlaps = overlaps === undefined ? true : parseBoolean(overlaps);
  if (discountsOverlaps === null)
    throw illegalArgument(`Failed to parse value [${overlaps}] as only [true] or [false] are allowed.`);
  return { ...BM25, kind: 'BM25', k1, b, discountsOverlaps };
}

function readFloat(group: SimilaritySettings, key: string, otherwise: number): number {
  const text = group.get(key);
  if (text === undefined) return otherwise;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(number)) return number;
  throw new ShoalError('settings_exception', 500, `Failed to parse float setting [${key}] with value [${text}]`, {
    causedBy: new ShoalError('number_format_exception', 400, `For input string: "${text}"`),
  });
}

function checkNames(type: string, group: SimilaritySettings, known: readonly string[]): void {
  const unknown = [...group.keys()].filter((key) => key !== 'type' && !known.includes(key)).sort();
  if (unknown.length > 0)
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.join(', ')}]`);
}

/** Number as Java prints a float. */
function printed(number: number): string {
  return Number.isInteger(number) ? number.toFixed(1) : String(number);
}
