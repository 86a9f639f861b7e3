/**
 * How much more often a term is in the documents of a bucket than in those of the background: the measures that requests choose
 * from.
 */
import { illegalArgument, type JsonNode, ShoalError, ValueReader } from '@shoal/core';
import {
  fromPlain,
  paramsOf,
  parseScript,
  programOf,
  readScript,
  SCRIPT_HEURISTIC_CONTEXT,
  type ScriptRequest,
} from '@shoal/script';
import { OptionReader } from '../../request/option-reader.ts';

/** Documents with a term, and all documents, in a bucket (subset) and in the background (superset). */
export interface TermFrequencies {
  readonly subsetFreq: number;
  readonly subsetSize: number;
  readonly supersetFreq: number;
  readonly supersetSize: number;
}

const MEASURES = ['jlh', 'percentage', 'gnd', 'chi_square', 'mutual_information', 'script_heuristic'] as const;

export interface TermSignificance {
  readonly measure: (typeof MEASURES)[number];
  /** The documents of the bucket are among those of the background. */
  readonly isSuperset: boolean;
  /** Terms that are rarer in the bucket than elsewhere may be significant too. */
  readonly takesRarer: boolean;
  /** Computes the score; null for all measures but `script_heuristic`. */
  readonly script: ScriptRequest | null;
}

const JLH: TermSignificance = { measure: 'jlh', isSuperset: true, takesRarer: false, script: null };

/** The last measure that the request names; JLH where it names none. */
export function parseSignificance(options: OptionReader): TermSignificance {
  let chosen = JLH;
  for (const { name } of options.node.members) {
    const measure = MEASURES.find((one) => one === name);
    const node = measure === undefined ? null : options.take(name);
    if (measure !== undefined && node !== null) chosen = parseMeasure(measure, node);
  }
  return chosen;
}

function parseMeasure(measure: TermSignificance['measure'], node: JsonNode): TermSignificance {
  const options = new OptionReader(measure, node);
  const hasNegatives = measure === 'chi_square' || measure === 'mutual_information';
  const takesRarer = hasNegatives && options.boolean('include_negatives', false);
  const isSuperset = hasNegatives || measure === 'gnd' ? options.boolean('background_is_superset', true) : true;
  const scriptNode = measure === 'script_heuristic' ? options.take('script') : null;
  if (measure === 'script_heuristic' && scriptNode === null) throw illegalArgument('Required [script]');
  options.finish();
  return { measure, isSuperset, takesRarer, script: scriptNode && parseScript(scriptNode) };
}

export function readSignificance(r: ValueReader): TermSignificance {
  const measure = r.oneOf('measure', MEASURES);
  const script = r.has('script') ? readScript(ValueReader.of(r.raw('script'), 'script')) : null;
  if ((measure === 'script_heuristic') !== (script !== null)) r.refuse('script', 'a script of the measure');
  return { measure, isSuperset: r.boolean('isSuperset'), takesRarer: r.boolean('takesRarer'), script };
}

/** @throws ShoalError where a script does not compile, or is not stored */
export function significanceScore(significance: TermSignificance): (frequencies: TermFrequencies) => number {
  const { measure, script } = significance;
  switch (measure) {
    case 'jlh':
      return jlh;
    case 'percentage':
      return ({ subsetFreq, supersetFreq }) => (supersetFreq === 0 ? 0 : subsetFreq / supersetFreq);
    case 'gnd':
      return (frequencies) => googleDistance(tableOf(frequencies, significance));
    case 'chi_square':
      return (frequencies) => unlessRarer(chiSquare, tableOf(frequencies, significance), significance);
    case 'mutual_information':
      return (frequencies) => unlessRarer(mutualInformation, tableOf(frequencies, significance), significance);
    case 'script_heuristic':
      return scriptScore(script);
  }
}

/** Absolute change of the term's share, times its relative change. */
function jlh({ subsetFreq, subsetSize, supersetFreq, supersetSize }: TermFrequencies): number {
  if (subsetSize === 0 || supersetSize === 0) return 0;
  const share = subsetFreq / subsetSize;
  // A background that does not hold the bucket may lack the term: it is counted as if it had it once.
  const background = Math.max(1, supersetFreq) / supersetSize;
  const change = share - background;
  return change <= 0 ? 0 : change * (share / background);
}

/** Documents by whether they have the term, and whether they are of the bucket (2 × 2), with the sums of rows and columns. */
interface Contingency {
  readonly both: number;
  readonly termAlone: number;
  readonly bucketAlone: number;
  readonly neither: number;
  readonly term: number;
  readonly noTerm: number;
  readonly bucket: number;
  readonly noBucket: number;
  readonly all: number;
}

function tableOf(
  { subsetFreq, subsetSize, supersetFreq, supersetSize }: TermFrequencies,
  { isSuperset }: TermSignificance,
): Contingency {
  if (isSuperset) {
    checkSuperset(subsetFreq <= supersetFreq, 'subsetFreq > supersetFreq');
    checkSuperset(subsetSize <= supersetSize, 'subsetSize > supersetSize');
    const isWithin = supersetFreq - subsetFreq <= supersetSize - subsetSize;
    checkSuperset(isWithin, 'supersetFreq - subsetFreq > supersetSize - subsetSize');
  }
  const [outsideFreq, outsideSize] = isSuperset
    ? [supersetFreq - subsetFreq, supersetSize - subsetSize]
    : [supersetFreq, supersetSize];
  const bucketAlone = subsetSize - subsetFreq;
  const neither = outsideSize - outsideFreq;
  return {
    both: subsetFreq,
    termAlone: outsideFreq,
    bucketAlone,
    neither,
    term: subsetFreq + outsideFreq,
    noTerm: bucketAlone + neither,
    bucket: subsetSize,
    noBucket: outsideSize,
    all: subsetSize + outsideSize,
  };
}

/** @throws ShoalError where the background, against what the request says, lacks documents of the bucket */
function checkSuperset(isSuperset: boolean, found: string): void {
  if (isSuperset) return;
  throw illegalArgument(
    `${found}, does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false`,
  );
}

function unlessRarer(
  score: (table: Contingency) => number,
  table: Contingency,
  { takesRarer }: TermSignificance,
): number {
  const isRarer = table.both / table.bucket < table.termAlone / table.noBucket;
  return isRarer && !takesRarer ? Number.NEGATIVE_INFINITY : score(table);
}

/** Distance of the term and the bucket by how often they come together (Cilibrasi & Vitányi, 2007), near ones first. */
function googleDistance({ both, term, bucket, all }: Contingency): number {
  if (both === 0) return 0;
  if (term === bucket && term === both) return 1;
  const most = Math.log(Math.max(term, bucket));
  const least = Math.log(Math.min(term, bucket));
  return Math.exp(-(most - Math.log(both)) / (Math.log(all) - least));
}

function chiSquare({
  both,
  termAlone,
  bucketAlone,
  neither,
  term,
  noTerm,
  bucket,
  noBucket,
  all,
}: Contingency): number {
  return (all * (both * neither - bucketAlone * termAlone) ** 2) / (bucket * term * noTerm * noBucket);
}

function mutualInformation(table: Contingency): number {
  const { both, termAlone, bucketAlone, neither, term, noTerm, bucket, noBucket, all } = table;
  const score =
    information(neither, noTerm * noBucket, all) +
    information(bucketAlone, noTerm * bucket, all) +
    information(termAlone, term * noBucket, all) +
    information(both, term * bucket, all);
  return Number.isNaN(score) ? Number.NEGATIVE_INFINITY : score;
}

/** What is as good as nothing: its logarithm would be infinite. */
const NOTHING = 1e-7;

function information(count: number, product: number, all: number): number {
  const expected = Math.abs(all * count);
  const share = Math.abs(count / all);
  return expected < NOTHING && share < NOTHING ? 0 : share * Math.log2(expected / Math.abs(product));
}

function scriptScore(script: ScriptRequest | null): (frequencies: TermFrequencies) => number {
  if (script === null || script.source === null) {
    throw new ShoalError('resource_not_found_exception', 404, `unable to find script [${script?.id}] in cluster state`);
  }
  const program = programOf(script, SCRIPT_HEURISTIC_CONTEXT);
  const params = paramsOf(script);
  return ({ subsetFreq, subsetSize, supersetFreq, supersetSize }) => {
    params.set('_subset_freq', fromPlain(subsetFreq));
    params.set('_subset_size', fromPlain(subsetSize));
    params.set('_superset_freq', fromPlain(supersetFreq));
    params.set('_superset_size', fromPlain(supersetSize));
    return program.run([params]) as number;
  };
}
