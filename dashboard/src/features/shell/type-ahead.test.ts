import { expect, test } from 'vitest';
import { collectTyping } from './type-ahead.ts';

/** Presses a key. Returns whether the page behind receives it. */
function press(page: EventTarget, key: string, modifiers = {}): boolean {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, ...modifiers });
  return page.dispatchEvent(event);
}

test('what is typed while a dialog opens is kept, corrections and Enter included, and does not reach the page', () => {
  const page = new EventTarget();
  const typing = collectTyping(page);
  const reached = ['n', '🌊', 'x', 'Backspace', ' ', 'é', 'Enter'].map((key) => press(page, key));
  expect(reached).not.toContain(true);
  expect(typing.end()).toEqual({ text: 'n🌊 é', isEntered: true });
});

test('after Enter, more letters change what was meant', () => {
  const page = new EventTarget();
  const typing = collectTyping(page);
  for (const key of ['a', 'Enter', 'b']) press(page, key);
  expect(typing.end()).toEqual({ text: 'ab', isEntered: false });
});

test('shortcuts, and keys that type nothing, reach the page', () => {
  const page = new EventTarget();
  const typing = collectTyping(page);
  expect(press(page, 'Escape')).toBe(true);
  expect(press(page, 'Tab')).toBe(true);
  expect(press(page, 'v', { ctrlKey: true })).toBe(true);
  expect(press(page, 'k', { metaKey: true })).toBe(true);
  expect(typing.end()).toEqual({ text: '', isEntered: false });
});

test('once the dialog is open, keys reach the page again', () => {
  const page = new EventTarget();
  collectTyping(page).end();
  expect(press(page, 'n')).toBe(true);
});
