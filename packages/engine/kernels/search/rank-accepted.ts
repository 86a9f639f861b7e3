/**
 * The best hits of one term among few documents: those that a filter leaves are looked up in the term, window by window.
 *
 * Worth it where the term has many more documents than are left; `rankTerm` reads all of the term's.
 */
import { Area, candidateDocs, candidateScores, ordered, WINDOW } from './area.ts';
import { addScores } from './candidates.ts';
import { mayPrune, offerCandidates } from './top-hits.ts';

/** Works through up to `budget` windows; true when the segment is done. Some documents are not accepted. */
export function rankAccepted(area: Area, budget: i32): bool {
  const docCount = area.docCount;
  const term = ordered(area, 0);
  let base = area.next;
  for (let done = 0; done < budget && base < docCount; done++) {
    const cut = mayPrune(area) ? area.threshold : 0;
    const count = addScores(area, term, acceptedIn(area, base, min(base + WINDOW, docCount)), true, cut);
    area.hits += count;
    offerCandidates(area, count);
    base += WINDOW;
  }
  area.next = base;
  return base >= docCount;
}

/** Makes candidates, with no score yet, of the accepted documents in [base, end); returns how many. */
function acceptedIn(area: Area, base: i32, end: i32): i32 {
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  let count = 0;
  for (let from = base; from < end; from += 64) {
    let bits = load<u64>(area.accept + <usize>(from >> 3));
    // Bits behind the last document say nothing.
    if (end - from < 64) bits &= (<u64>1 << (<u64>(end - from))) - 1;
    while (bits != 0) {
      store<i32>(docs + (<usize>count << 2), from + <i32>ctz(bits));
      store<f64>(scores + (<usize>count << 3), 0);
      bits &= bits - 1;
      count++;
    }
  }
  return count;
}
