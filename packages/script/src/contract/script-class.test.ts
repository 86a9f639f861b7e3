import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type ScriptClass, scriptClass } from './script-class.ts';

const source = fileURLToPath(new URL('..', import.meta.url));

async function declaredClasses(folder: string): Promise<readonly ScriptClass[]> {
  const files = readdirSync(`${source}/${folder}`).filter((file) => file.endsWith('-classes.ts'));
  const modules = await Promise.all(files.map((file): Promise<object> => import(`${source}/${folder}/${file}`)));
  return modules.flatMap((module) => Object.values(module)).flatMap((value) => (Array.isArray(value) ? value : []));
}

// Signatures are read when a script first looks for a member: nothing but this reads those of a class that no test uses.
test.each(['library', 'date-classes'])('every signature in %s is one', async (folder) => {
  const classes = await declaredClasses(folder);
  expect(classes.length).toBeGreaterThan(20);
  const members = classes.flatMap((one) => Object.values(one.members()).flatMap((map) => [...map.values()]));
  expect(members.length).toBeGreaterThan(100);
});

test('a signature that is none ends the process that first uses the class', () => {
  const broken = scriptClass('a.B', [], { 'int (': () => 1 });
  expect(() => broken.members()).toThrow('signature [int (] of [a.B] is not one');
});

test('members are told apart by name and number of parameters, and read once', () => {
  const one = scriptClass('a.C', [], {
    'new(int)': () => null,
    'static int parse(String)': () => 1,
    'int parse(String,int)': () => 1,
    'const int MAX': 7,
  });
  const { methods, statics, constructors, constants } = one.members();
  expect([...methods.keys(), ...statics.keys(), ...constructors.keys(), ...constants.keys()]).toEqual([
    'parse/2',
    'parse/1',
    1,
    'MAX',
  ]);
  expect(one.members().methods).toBe(methods);
});
