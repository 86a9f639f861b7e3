/**
 * `${NAME}` and `${NAME:default}` in settings, replaced from the environment. The text of a pipeline is left alone: its own
 * language does that, and knows where.
 */
import { flattenSettings, ShoalError } from '@shoal/core';
import { CONFIG_STRING } from './agent-settings.ts';

const VARIABLE = /\$\{([A-Za-z_.][A-Za-z0-9_.]*)(?::([^}]*))?\}/g;

/** @throws config_exception for a variable that is not set and has no default */
export function replaceVariables(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (_whole, name: string, fallback?: string) => {
    const value = Object.hasOwn(environment, name) ? environment[name] : fallback;
    if (value === undefined) throw new ShoalError('config_exception', 400, `\${${name}} is not set and has no default`);
    return value;
  });
}

/** What a user gave, by full name, with the values of its variables. */
export function withVariables(
  given: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const texts = [...flattenSettings(given)].map(([name, text]) => {
    if (name === CONFIG_STRING.name) return [name, text] as const;
    return [name, replaceVariables(text, environment)] as const;
  });
  return Object.fromEntries(texts);
}
