/** The class that scripts in filters of intervals look at: one range of positions. */
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { ScriptObject } from '../values/script-object.ts';

export const SCRIPT_INTERVAL_CLASS = 'org.elasticsearch.index.query.IntervalFilterScript$Interval';

/** A range; set anew for each that a script is asked about. */
export class ScriptInterval extends ScriptObject {
  readonly javaClass: string = SCRIPT_INTERVAL_CLASS;
  start = 0;
  /** Last position of the range. */
  end = 0;
  /** Positions of the range that belong to none of its parts. */
  gaps = 0;

  text(): string {
    return this.javaClass;
  }
}

export const INTERVAL_CLASSES: readonly ScriptClass[] = [
  scriptClass(SCRIPT_INTERVAL_CLASS, ['java.lang.Object'], {
    'int getStart()': (_m, self: ScriptInterval) => self.start,
    'int getEnd()': (_m, self: ScriptInterval) => self.end,
    'int getGaps()': (_m, self: ScriptInterval) => self.gaps,
  }),
];
