/**
 * Similarities of an index, as its creation and changes of its settings check them.
 */
import { checkSimilarities, type Mapping, type Similarities } from '@shoal/schema';
import { checkScriptedSimilarity } from '@shoal/script';

/** @throws ShoalError for a field of a similarity that there is not, and for scripts that make no scores */
export function checkIndexSimilarities(mapping: Mapping, similarities: Similarities): void {
  for (const similarity of similarities.values()) {
    if (similarity.kind === 'scripted') checkScriptedSimilarity(similarity);
  }
  checkSimilarities(mapping, similarities);
}
