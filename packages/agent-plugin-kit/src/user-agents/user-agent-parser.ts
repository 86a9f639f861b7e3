/**
 * Names browsers, systems and devices by the expressions of uap-core. Expressions are compiled when first tried; answers are
 * remembered, because few user agents send most requests.
 */
import { BROWSER_RULES, DEVICE_RULES, SYSTEM_RULES } from './generated/user-agent-regexes.ts';

export interface UserAgent {
  readonly browser: readonly (string | null)[];
  readonly system: readonly (string | null)[];
  readonly device: string;
}

export interface UserAgentRules {
  readonly browser: readonly (readonly string[])[];
  readonly system: readonly (readonly string[])[];
  readonly device: readonly (readonly string[])[];
}

export const BUNDLED_RULES: UserAgentRules = { browser: BROWSER_RULES, system: SYSTEM_RULES, device: DEVICE_RULES };

/** Longer ones are attacks on the expressions, not browsers. */
const USER_AGENT_LENGTH_MAX = 2048;
const OTHER = 'Other';

export class UserAgentParser {
  private readonly cache = new Map<string, UserAgent>();
  private readonly cacheMax: number;
  private readonly browser: readonly Rule[];
  private readonly system: readonly Rule[];
  private readonly device: readonly Rule[];

  constructor(rules: UserAgentRules, cacheMax: number) {
    this.cacheMax = cacheMax;
    // A browser's version may have a fourth part, which no rule replaces.
    this.browser = rules.browser.map((row) => new Rule([...row, '']));
    this.system = rules.system.map((row) => new Rule(row));
    this.device = rules.device.map((row) => new Rule(row));
  }

  parse(text: string): UserAgent {
    const known = this.cache.get(text);
    if (known !== undefined) {
      // Put at the end: the first of the map is the one not asked for longest.
      this.cache.delete(text);
      this.cache.set(text, known);
      return known;
    }
    const shortened = text.slice(0, USER_AGENT_LENGTH_MAX);
    const parsed: UserAgent = {
      browser: first(this.browser, shortened) ?? [OTHER],
      system: first(this.system, shortened) ?? [OTHER],
      device: first(this.device, shortened)?.[0] ?? OTHER,
    };
    if (this.cache.size >= this.cacheMax) {
      const [oldest] = this.cache.keys();
      if (oldest !== undefined) this.cache.delete(oldest);
    }
    this.cache.set(text, parsed);
    return parsed;
  }
}

function first(rules: readonly Rule[], text: string): readonly (string | null)[] | null {
  for (const rule of rules) {
    const found = rule.match(text);
    if (found !== null) return found;
  }
  return null;
}

class Rule {
  private readonly row: readonly string[];
  private regex: RegExp | null = null;

  constructor(row: readonly string[]) {
    this.row = row;
  }

  /** One text for each replacement; a replacement that is not given is the group of its position. */
  match(text: string): readonly (string | null)[] | null {
    this.regex ??= new RegExp(this.row[0] ?? '', this.row[1] ?? '');
    const found = this.regex.exec(text);
    if (found === null) return null;
    const parts = this.row.slice(2).map((replacement, index) => {
      const value = replacement === '' ? found[index + 1] : filled(replacement, found);
      return value === undefined || value === '' ? null : value;
    });
    // Without a name it says nothing: the next rule may.
    return parts[0] === null ? null : parts;
  }
}

function filled(replacement: string, found: RegExpExecArray): string {
  return replacement.replace(/\$(\d)/g, (_, digit: string) => found[Number(digit)] ?? '').trim();
}
