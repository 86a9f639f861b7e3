/** A stored script as answers show it. */
import type { StoredScript } from '@shoal/cluster-state';

export function storedScriptBody({ lang, source, options }: StoredScript): Readonly<Record<string, unknown>> {
  return { lang, source, ...(Object.keys(options).length > 0 && { options }) };
}
