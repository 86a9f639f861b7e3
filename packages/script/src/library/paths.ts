/**
 * `getByPath` of maps and lists, which Elasticsearch adds: the value at a path of keys and positions, such as `a.b.0`.
 */
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { illegalArgumentException, nullPointer } from '../values/java-exception.ts';
import { JavaMap } from '../values/java-map.ts';
import { classOf } from '../values/java-text.ts';

const OBJECT = 'java.lang.Object';

/** @param missing gives what stands for a value that is not there */
function valueAt(from: unknown, path: string | null, missing: (path: string) => unknown): unknown {
  if (path === null) throw nullPointer();
  if (path === '') throw illegalArgumentException('Missing path');
  const names = path.split('.');
  const extra = names.indexOf('');
  if (extra >= 0) throw illegalArgumentException(`Extra '.' in path [${path}] at index [${extra}]`);
  let value = from;
  for (const [index, name] of names.entries()) {
    if (value instanceof JavaMap) {
      if (!value.has(name)) return missing(path);
      value = value.get(name);
    } else if (Array.isArray(value)) {
      if (!/^[+-]?\d{1,9}$/.test(name)) {
        throw illegalArgumentException(
          `Could not parse [${name}] as a int index into list at path [${path}] and index [${index}]`,
        );
      }
      const at = Number(name);
      if (at < 0 || at >= value.length) return missing(path);
      value = value[at];
    } else if (value === null) return missing(path);
    else {
      throw illegalArgumentException(
        `Non-container [${classOf(value)}] at [${name}], index [${index}] in path [${path}]`,
      );
    }
  }
  return value;
}

const MEMBERS: Record<string, Invoke> = {
  'def getByPath(String)': (_m, self: unknown, path: string) =>
    valueAt(self, path, (missing) => {
      throw illegalArgumentException(`Could not find value at path [${missing}]`);
    }),
  'def getByPath(String,def)': (_m, self: unknown, path: string, other: unknown) => valueAt(self, path, () => other),
};

/** Each adds to a class that is declared elsewhere. */
export const PATH_CLASSES: readonly ScriptClass[] = [
  scriptClass('java.util.Map', [OBJECT], MEMBERS),
  scriptClass('java.util.List', [OBJECT], MEMBERS),
];
