/**
 * Constants of Java's enums that have no more to say than their names and places: `DayOfWeek`, `Month`, `TextStyle` and others.
 */
import { ScriptObject } from '../values/script-object.ts';

export class JavaEnum extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly ordinal: number;

  constructor(javaClass: string, name: string, ordinal: number) {
    super();
    this.javaClass = javaClass;
    this.name = name;
    this.ordinal = ordinal;
  }

  text(): string {
    return this.name;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaEnum && other.javaClass === this.javaClass ? this.ordinal - other.ordinal : null;
  }
}

export function enumValues(javaClass: string, names: string): readonly JavaEnum[] {
  return names.split(' ').map((name, i) => new JavaEnum(javaClass, name, i));
}

export const DAYS: readonly JavaEnum[] = enumValues(
  'java.time.DayOfWeek',
  'MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY',
);
export const MONTHS: readonly JavaEnum[] = enumValues(
  'java.time.Month',
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER',
);
