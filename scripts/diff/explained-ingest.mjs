/**
 * Differences of simulated pipelines and of programs that are right: each with its reason and a narrow test of what differs.
 */
import { parts } from './difference-parts.mjs';

const isSimulated = ({ class: api }) => api === '_simulate';

/** `{reason, matches(request, difference)}` */
export const EXPLAINED_INGEST = [
  {
    reason: 'a null in a list is told as one, where the peer fails in its own code',
    matches: (request, difference) =>
      isSimulated(request) &&
      JSON.stringify(request.body.docs).includes(',null]') &&
      (/\.type: "illegal_argument_exception", not "null_pointer_exception"$/.test(difference) ||
        /\.reason: "[^"]* of type \[null\] [^"]*", not "Cannot (?:invoke|read field) .* is null"$/.test(difference)),
  },
  {
    reason:
      'a pattern of dissect that cannot be read is a mistake of the request, where the peer calls it an error of the server',
    matches: (request, difference) =>
      isSimulated(request) &&
      /^status: 400 \{"type":"parse_exception","reason":"\[pattern\] Unable to parse pattern: .*, not 500 \{"type":"exception","reason":"org\.opensearch\.dissect\.DissectException\$PatternParse: Unable to parse pattern: /s.test(
        difference,
      ),
  },
  {
    reason: 'which of its variables a virtual machine found null follows from whether the place was reached before',
    matches: (_, difference) => {
      const { ours, theirs } = parts(difference);
      const isNull = (text) => text.startsWith('"Cannot invoke \\"Object.getClass()\\" because ');
      return isNull(ours) && isNull(theirs);
    },
  },
];
