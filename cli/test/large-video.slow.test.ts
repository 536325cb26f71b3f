import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { connectSandboxAccount } from '../../src/features/connections/connect/sandbox.ts';
import { aVideo } from '../../test/support/files/media.ts';
import { cliStage, command } from './stage.ts';

/** A playable video, padded with an empty box. */
async function writeLargeVideo(path: string, bytes: number) {
  const video = aVideo().bytes;
  const box = Buffer.alloc(8);
  box.writeUInt32BE(bytes - video.length, 0);
  box.write('free', 4);
  const file = await open(path, 'w');
  await file.writeFile(Buffer.concat([video, box]));
  await file.truncate(bytes);
  await file.close();
}

test('a video of 200 MB is uploaded with a bar that moves, and published', async () => {
  const stage = await cliStage();
  try {
    const { app, sandbox } = stage.service;
    const account = { platform: 'youtube', handle: 'films' } as const;
    await connectSandboxAccount(app, sandbox.url, stage.ada.id, account);
    await writeLargeVideo(`${stage.folder}/large.mp4`, 200_000_000);
    const env = { ...stage.environment(), TERM: 'xterm', SHELL: '/bin/sh' };
    const line = `${process.execPath} ${command} post "A long film" --to youtube --media large.mp4 --wait`;
    const child = spawn('script', ['-qec', line, '/dev/null'], { env, cwd: stage.folder });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [shown, code] = await stage.whilePublishing(Promise.all([text(child.stdout), ended]));
    expect([code, shown]).toEqual([0, expect.stringContaining('Published')]);
    const steps = new Set([...shown.matchAll(/(\d+)%/g)].map(([percent]) => percent));
    expect(steps.size).toBeGreaterThan(20);
    expect(steps).toContain('100%');
  } finally {
    await stage.close();
  }
});
