/**
 * Token filter `synonym`: synonyms at the positions of the words they stand for.
 *
 * The words of a longer synonym stand beside the words that follow, which phrases across them may find; where that is not
 * wanted there is `synonym_graph`.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import { longestMatch, readSynonyms, SYNONYM_OPTIONS, type SynonymNode } from './synonym-rules.ts';

export const synonym: TokenFilterType = {
  type: 'synonym',
  options: SYNONYM_OPTIONS,
  needsOptions: true,
  create: (options, context) => {
    const root = readSynonyms(options, context);
    return {
      name: 'synonym',
      inSynonymRules: 'skipped',
      transform: (tokens) => withSynonyms([...tokens], root),
    };
  },
};

/** A synonym's word at the place of a token. */
interface Output {
  readonly term: string;
  /** null: that of the token it stands beside. */
  readonly end: number | null;
  readonly positionLength: number;
}

function* withSynonyms(tokens: readonly Token[], root: SynonymNode): Iterable<Token> {
  const outputs: Output[][] = [];
  const isDropped: boolean[] = [];
  const term = (index: number): string | undefined => tokens[index]?.term;
  for (let at = 0; at < tokens.length; ) {
    const match = longestMatch(root, term, at);
    if (match === null) {
      at++;
      continue;
    }
    const end = tokens[at + match.length - 1]?.end ?? 0;
    for (const words of match.outputs) {
      const isSingle = words.length === 1;
      for (const [i, word] of words.entries()) {
        const positionLength = isSingle && match.keepsOriginal ? match.length : 1;
        const place = outputs[at + i] ?? [];
        outputs[at + i] = place;
        place.push({ term: word, end: isSingle ? end : null, positionLength });
      }
    }
    for (let i = 0; i < match.length; i++) isDropped[at + i] = !match.keepsOriginal;
    at += match.length;
  }
  yield* placed(tokens, outputs, isDropped);
}

function* placed(
  tokens: readonly Token[],
  outputs: readonly (readonly Output[] | undefined)[],
  isDropped: readonly (boolean | undefined)[],
): Iterable<Token> {
  for (let at = 0; at < Math.max(tokens.length, outputs.length); at++) {
    const token = tokens[at];
    const beside = token ?? tokens.at(-1);
    const isKept = token !== undefined && isDropped[at] !== true;
    if (isKept) yield token;
    let increment = isKept ? 0 : 1;
    for (const { term, end, positionLength } of outputs[at] ?? []) {
      if (beside === undefined) continue;
      const place = { start: beside.start, end: token === undefined ? beside.end : (end ?? beside.end) };
      yield { term, ...place, increment, type: 'SYNONYM', positionLength, isKeyword: false, payload: null };
      increment = 0;
    }
  }
}
