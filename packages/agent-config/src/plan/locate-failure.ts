/**
 * The position in a plugin's block that a message speaks of: plugins find many mistakes only when they are made, and then know
 * the text that is wrong but not where it stands.
 *
 * Looks for the texts of the block in the message and for what the message quotes in those texts. Never wrong about the
 * plugin; where nothing is found it is the plugin's name that is shown.
 */
import { type ConfigProblem, problemAt } from '../source/config-error.ts';
import type { ConfigTree, PluginNode, StatementNode, StringNode, ValueNode } from '../source/config-tree.ts';
import type { Position } from '../source/position.ts';

/** Shorter texts stand in nearly every message by chance. */
const TELLING_MIN = 2;
/** Option names below this are words of the language too. */
const OPTION_NAME_MIN = 4;
const QUOTED = /%\{[A-Za-z0-9_]+|\[([^[\]]{2,})\]|'([^']{2,})'|"([^"]{2,})"/g;

/** `position` is that of the plugin's name. */
export function locateFailure(tree: ConfigTree, position: Position, message: string): ConfigProblem {
  const start = tree.source.offset(position);
  const plugin = findPlugin(tree, start);
  return problemAt(tree.source, plugin === null ? start : placeOf(plugin, message), message);
}

/** Position of `text` inside one of the strings of the plugin's option; null when it is in none. */
export function positionOfText(tree: ConfigTree, position: Position, text: string): Position | null {
  const plugin = findPlugin(tree, tree.source.offset(position));
  const found = plugin === null ? undefined : stringsOf(plugin).find((node) => node.text === text);
  return found === undefined ? null : tree.source.position(found.start);
}

function findPlugin(tree: ConfigTree, start: number): PluginNode | null {
  for (const section of tree.sections) {
    const found = findAmong(section.body, start);
    if (found !== null) return found;
  }
  return null;
}

function findAmong(nodes: readonly StatementNode[], start: number): PluginNode | null {
  for (const node of nodes) {
    if (start < node.start || start >= node.end) continue;
    if (node.kind === 'plugin') return node;
    const bodies = [...node.arms.map((arm) => arm.body), node.otherwise ?? []];
    for (const body of bodies) {
      const found = findAmong(body, start);
      if (found !== null) return found;
    }
  }
  return null;
}

function placeOf(plugin: PluginNode, message: string): number {
  const strings = stringsOf(plugin);
  return (
    quotedReference(strings, message) ??
    wholeText(strings, message) ??
    quotedPart(strings, message) ??
    namedOption(plugin, message) ??
    plugin.start
  );
}

/** `%{NAME` in the message is the most exact there is: the caret stands inside of the pattern. */
function quotedReference(strings: readonly StringNode[], message: string): number | null {
  for (const [reference] of message.matchAll(/%\{[A-Za-z0-9_]+/g)) {
    const pattern = new RegExp(`${reference.replace('{', '\\{')}(?![A-Za-z0-9_])`);
    for (const node of strings) {
      const at = node.text.search(pattern);
      if (at >= 0) return inside(node, at);
    }
  }
  return null;
}

function wholeText(strings: readonly StringNode[], message: string): number | null {
  const quoted = strings.filter((node) => node.text.length >= TELLING_MIN && standsIn(message, node.text));
  const [longest] = quoted.sort((a, b) => b.text.length - a.text.length);
  return longest === undefined ? null : inside(longest, 0);
}

/** Finds a whole word: inside a longer one it would be there by chance. */
function standsIn(message: string, text: string): boolean {
  const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
  const [first, last] = [isWord(text[0]), isWord(text.at(-1))];
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const isCut = (first && isWord(message[at - 1])) || (last && isWord(message[at + text.length]));
    if (!isCut) return true;
  }
  return false;
}

function quotedPart(strings: readonly StringNode[], message: string): number | null {
  for (const match of message.matchAll(QUOTED)) {
    const part = match[1] ?? match[2] ?? match[3];
    if (part === undefined) continue;
    for (const node of strings) {
      const at = node.text.indexOf(part);
      if (at >= 0) return inside(node, at);
    }
  }
  return null;
}

function namedOption(plugin: PluginNode, message: string): number | null {
  const words = new Set(message.match(/[A-Za-z0-9_]+/g));
  const named = plugin.attributes.find(({ name }) => name.text.length >= OPTION_NAME_MIN && words.has(name.text));
  return named?.start ?? null;
}

/** Offset behind the opening quote. */
function inside(node: StringNode, at: number): number {
  return node.start + 1 + at;
}

function stringsOf(plugin: PluginNode): StringNode[] {
  const found: StringNode[] = [];
  const visit = (node: ValueNode): void => {
    if (node.kind === 'string') found.push(node);
    else if (node.kind === 'array') for (const item of node.items) visit(item);
    else if (node.kind === 'plugin') for (const attribute of node.attributes) visit(attribute.value);
    else if (node.kind === 'hash') {
      for (const entry of node.entries) {
        visit(entry.value);
        if (entry.name.kind === 'string') found.push(entry.name);
      }
    }
  };
  for (const attribute of plugin.attributes) visit(attribute.value);
  return found;
}
