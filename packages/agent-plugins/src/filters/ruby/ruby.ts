/**
 * ruby: known, so that a configuration says clearly what to do; there is no Ruby here to run it.
 */

import type { PluginDefinition } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

export const rubyFilter: PluginDefinition = {
  kind: 'filter',
  name: 'ruby',
  version: '3.1.8',
  options: {
    code: { type: 'string' },
    path: { type: 'string' },
    init: { type: 'string' },
    script_params: { type: 'hash' },
    tag_on_exception: { type: 'string' },
    tag_with_exception_message: { type: 'boolean' },
  },
  create: (options, context) => {
    const code = options.has('code') ? options.string('code').trim() : '';
    const line = code.split('\n')[0] ?? '';
    const hint = /^event\.(?:get|set|remove|tag|cancel)\b/.test(line)
      ? `; event.get, set, remove, tag, cancel have the same names there, so this may work as it is: javascript { code => '${line}' }`
      : '; events have get, set, remove, tag, cancel, clone there as well';
    const why = `${context.position}: Ruby code cannot be run; write it in JavaScript with the filter "javascript"${hint}`;
    throw new ShoalError('illegal_argument_exception', 400, why);
  },
};
