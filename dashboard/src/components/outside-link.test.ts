import { globSync, readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { OutsideLink } from './outside-link.tsx';

const folder = new URL('../', import.meta.url).pathname;

const rendered = (href: string) =>
  renderToStaticMarkup(createElement(MantineProvider, {}, createElement(OutsideLink, { href }, 'Open')));

test.each(['https://mastodon.example/@ann/1', 'http://localhost:4001/feed/mastodon'])('%s is a link', (href) => {
  expect(rendered(href)).toMatch(new RegExp(`<a [^>]*href="${href}"[^>]*rel="noreferrer noopener"[^>]*>Open</a>`));
});

test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', '/posts', ''])(
  '%j is text without a link',
  (href) => {
    expect(rendered(href)).toContain('Open');
    expect(rendered(href)).not.toMatch(/<a |href/);
  },
);

/** Functions that build addresses of the dashboard itself. */
const ownHref = /^href=\{(`[/#]|(postHref|newPostHref|draftHref|calendarHref)\()/;

/** Addresses that only the dashboard or the service creates. Anything from a network goes through OutsideLink. */
const ownAddresses = [
  ['components/light-link.tsx', 'href={href}'],
  ['components/outside-link.tsx', 'href={href}'],
  ['features/developers/mcp/mcp-page.tsx', 'href={link.href}'],
  ['features/developers/requests/request-panel.tsx', 'href={reference}'],
  ['features/settings/security/two-factor-setup.tsx', 'href={uri}'],
  ['features/shell/sandbox-menu.tsx', 'href={href}'],
];

test('no link leads to an address from elsewhere unless it is checked', () => {
  const unchecked = globSync('**/*.tsx', { cwd: folder }).flatMap((file) =>
    [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/<([A-Z]\w*|a)\b[^<]*?\b(href=\{\S+)/g)]
      .filter(([, component, href]) => !/^(OutsideLink|Feed)$/.test(component!) && !ownHref.test(href!))
      .map(([, , href]) => [file, href!.replace(/>$/, '')])
      .filter(([where, href]) => !ownAddresses.some(([own, known]) => own === where && href!.startsWith(known!))),
  );
  expect(unchecked).toEqual([]);
});
