/**
 * Queues with one end or two: `Queue`, `Deque`, `ArrayDeque`, `LinkedList`, and `Stack`, which is a list.
 */
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptMachine } from '../machine/script-machine.ts';
import { equalObjects } from '../values/equality.ts';
import { JavaException, nullPointer } from '../values/java-exception.ts';
import { JavaIterator, JavaList } from '../values/java-map.ts';
import { itemsOf } from './items-of.ts';

const OBJECT = 'java.lang.Object';
const COLLECTION = ['java.util.Collection', 'java.lang.Iterable', OBJECT];
const LIST = ['java.util.List', ...COLLECTION];
const QUEUE = 'java.util.Queue';
const DEQUE = 'java.util.Deque';
const ARRAY_DEQUE = 'java.util.ArrayDeque';
const LINKED_LIST = 'java.util.LinkedList';
const STACK = 'java.util.Stack';

function filled(machine: ScriptMachine, javaClass: string, from: unknown): JavaList {
  const list = new JavaList(javaClass);
  // A number is how much room is wanted beforehand.
  if (from === null || typeof from !== 'object' || !(Symbol.iterator in from || 'items' in from)) return list;
  const items = itemsOf(machine, from);
  machine.grow(items.length);
  for (const item of items) list.push(item);
  return list;
}

/** An item that is put in; `ArrayDeque` holds no null. */
function put(machine: ScriptMachine, self: JavaList, item: unknown, isFirst: boolean): true {
  if (item === null && self.javaClass === ARRAY_DEQUE) throw nullPointer();
  machine.grow(1);
  if (isFirst) {
    machine.step(self.length / 64);
    self.unshift(item);
  } else self.push(item);
  return true;
}

function end(self: JavaList, isFirst: boolean): unknown {
  return (isFirst ? self[0] : self.at(-1)) ?? null;
}

function take(machine: ScriptMachine, self: JavaList, isFirst: boolean): unknown {
  machine.step(isFirst ? 1 + self.length / 64 : 1);
  return (isFirst ? self.shift() : self.pop()) ?? null;
}

const full = (self: JavaList): JavaList => {
  if (self.length === 0) throw new JavaException('java.util.NoSuchElementException', null);
  return self;
};

const adding =
  (isFirst: boolean): Invoke =>
  (m, self: JavaList, item: unknown) =>
    put(m, self, item, isFirst);

const QUEUE_MEMBERS: Record<string, Invoke> = {
  'boolean offer(def)': adding(false),
  'def peek()': (_m, self: JavaList) => end(self, true),
  'def element()': (_m, self: JavaList) => end(full(self), true),
  'def poll()': (m, self: JavaList) => take(m, self, true),
  'def remove()': (m, self: JavaList) => take(m, full(self), true),
};

function removeOne(self: JavaList, index: number): boolean {
  if (index >= 0) self.splice(index, 1);
  return index >= 0;
}

const DEQUE_MEMBERS: Record<string, Invoke> = {
  'void addFirst(def)': (m, self: JavaList, item) => void put(m, self, item, true),
  'void addLast(def)': (m, self: JavaList, item) => void put(m, self, item, false),
  'boolean offerFirst(def)': adding(true),
  'boolean offerLast(def)': adding(false),
  'void push(def)': (m, self: JavaList, item) => void put(m, self, item, true),
  'def pop()': (m, self: JavaList) => take(m, full(self), true),
  'def getFirst()': (_m, self: JavaList) => end(full(self), true),
  'def getLast()': (_m, self: JavaList) => end(full(self), false),
  'def peekFirst()': (_m, self: JavaList) => end(self, true),
  'def peekLast()': (_m, self: JavaList) => end(self, false),
  'def pollFirst()': (m, self: JavaList) => take(m, self, true),
  'def pollLast()': (m, self: JavaList) => take(m, self, false),
  'def removeFirst()': (m, self: JavaList) => take(m, full(self), true),
  'def removeLast()': (m, self: JavaList) => take(m, full(self), false),
  'boolean removeFirstOccurrence(def)': (m, self: JavaList, item) =>
    removeOne(
      self,
      itemsOf(m, self).findIndex((one) => equalObjects(one, item)),
    ),
  'boolean removeLastOccurrence(def)': (m, self: JavaList, item) =>
    removeOne(
      self,
      itemsOf(m, self).findLastIndex((one) => equalObjects(one, item)),
    ),
  'Iterator descendingIterator()': (m, self: JavaList) =>
    new JavaIterator([...itemsOf(m, self)].reverse(), (item) => void removeOne(self, self.lastIndexOf(item))),
};

function queueClass(name: string, supers: readonly string[], members: Record<string, Invoke> = {}): ScriptClass {
  return scriptClass(name, [...supers], {
    'new()': () => new JavaList(name),
    'new(def)': (m, _s, from) => filled(m, name, from),
    ...members,
  });
}

const emptyStack = (): JavaException => new JavaException('java.util.EmptyStackException', null);

const STACK_MEMBERS: Record<string, Invoke> = {
  'def push(def)': (m, self: JavaList, item) => {
    put(m, self, item, false);
    return item;
  },
  'def pop()': (m, self: JavaList) => {
    if (self.length === 0) throw emptyStack();
    return take(m, self, false);
  },
  'def peek()': (_m, self: JavaList) => {
    if (self.length === 0) throw emptyStack();
    return end(self, false);
  },
  'boolean empty()': (_m, self: JavaList) => self.length === 0,
  'int search(def)': (m, self: JavaList, item) => {
    const index = itemsOf(m, self).findLastIndex((one) => equalObjects(one, item));
    return index < 0 ? -1 : self.length - index;
  },
};

export const QUEUE_CLASSES: readonly ScriptClass[] = [
  scriptClass(QUEUE, COLLECTION, QUEUE_MEMBERS),
  scriptClass(DEQUE, [QUEUE, ...COLLECTION], DEQUE_MEMBERS),
  queueClass(ARRAY_DEQUE, [DEQUE, QUEUE, ...COLLECTION]),
  queueClass(LINKED_LIST, [DEQUE, QUEUE, ...LIST]),
  queueClass(STACK, LIST, STACK_MEMBERS),
];
