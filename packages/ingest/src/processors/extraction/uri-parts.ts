/** `uri_parts`: the parts of an address of the web. */
import { illegalArgument } from '@shoal/core';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentMap } from '../../values/document-value.ts';

/** The grammar of RFC 3986: scheme, authority, path, query, fragment. */
const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const AUTHORITY = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/;
/** What may stand in none of the parts as it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused too
const FORBIDDEN = /[\u0000-\u0020<>"{}|\\^`]|%(?![0-9a-fA-F]{2})/;

export const uriPartsProcessor: ProcessorType = {
  type: 'uri_parts',
  create(config) {
    const field = parseFieldPath(config.text('field'));
    const target = parseFieldPath(config.optionalText('target_field') ?? 'url');
    const removes = config.flag('remove_if_successful', false);
    const keepsOriginal = config.flag('keep_original', true);
    return simple((document) => {
      const text = document.text(field);
      if (text === null) throw illegalArgument(`field [${field.text}] is null, cannot process it.`);
      const parts = partsOf(text);
      if (parts === null) throw illegalArgument(`unable to parse URI [${text}]`);
      if (keepsOriginal) parts.set('original', text);
      if (removes && field.text !== target.text) document.remove(field);
      document.set(target, parts);
    });
  },
};

/** null: the text is no address. */
function partsOf(text: string): DocumentMap | null {
  const [whole, scheme, authority, path = '', query, fragment] = URI.exec(text) ?? [];
  if (whole === undefined || FORBIDDEN.test(text)) return null;
  const found = authority === undefined ? [] : AUTHORITY.exec(authority);
  if (found === null) return null;
  const [, userInfo, host, port] = found;
  const parts: DocumentMap = new Map();
  const put = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') parts.set(name, value);
  };
  put('domain', host);
  put('fragment', fragment);
  parts.set('path', path);
  if (port !== undefined && port !== '') parts.set('port', Number(port));
  put('query', query);
  put('scheme', scheme);
  if (userInfo) {
    parts.set('user_info', userInfo);
    const colon = userInfo.indexOf(':');
    put('username', colon < 0 ? undefined : userInfo.slice(0, colon));
    put('password', colon < 0 ? undefined : userInfo.slice(colon + 1));
  }
  put('extension', /\.([^./]*)$/.exec(path)?.[1]);
  return parts;
}
