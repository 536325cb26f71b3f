import { expect, test } from 'vitest';
import { hashtagsIn, linksIn, mentionsIn } from './tokens.ts';

test.each([
  ['See https://a.example, http://b.example/x?y=1#z.', ['https://a.example', 'http://b.example/x?y=1#z']],
  ['https://a.example and (https://a.example)', ['https://a.example']],
  ['HTTPS://A.example\nhttps://a.example/', ['HTTPS://A.example', 'https://a.example/']],
  ['www.example.com, ftp://a.example, nothing', []],
])('the links in %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test.each([
  ['#one #two#three ＃四 #été, #2026', ['#one', '#two', '＃四', '#été', '#2026']],
  ['# a#b &#39; https://a.example/#top https://a.example/x#y', []],
])('the hashtags in %j', (text, hashtags) => {
  expect(hashtagsIn(text)).toEqual(hashtags);
});

test.each([
  ['@ada and (@ben.b)', ['@ada', '@ben.b']],
  ['ada@example.com https://a.example/@ada', []],
])('the mentions in %j', (text, mentions) => {
  expect(mentionsIn(text)).toEqual(mentions);
});
