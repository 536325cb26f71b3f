import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { tokensOf } from './preview.ts';
import classes from './previews.module.css';

/** The text with links and line breaks, folded where the network folds it. */
export function PostText({ text, foldAt }: { text: string; foldAt?: number }) {
  const [isOpen, setOpen] = useState(false);
  const characters = [...text];
  const isFolded = foldAt !== undefined && characters.length > foldAt && !isOpen;
  const shown = isFolded ? `${characters.slice(0, foldAt).join('').trimEnd()}…` : text;
  return (
    <div className={classes.text} dir="auto">
      {tokensOf(shown).map(({ kind, text: piece }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by position only.
        <span key={index} className={kind === 'text' ? undefined : classes.link}>
          {piece}
        </span>
      ))}
      {isFolded && (
        <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
          more
        </UnstyledButton>
      )}
    </div>
  );
}
