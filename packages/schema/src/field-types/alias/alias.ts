/**
 * Declaration of `alias`: another name of a field. It has no values of its own, and may be pointed at another field later.
 */
import { mapperParsing } from '../../declaration/mapping-error.ts';
import type { ReferenceType } from '../contract/declared-type.ts';
import { text } from '../contract/parameter-rule.ts';

export const ALIAS: ReferenceType = {
  parameters: new Map([['path', text(null, 'always')]]),
  check: (name, { path }) => {
    if (path !== undefined && path !== null) return;
    throw mapperParsing(`The [path] property must be specified for field [${name}].`);
  },
  target: ({ path }) => String(path),
};
