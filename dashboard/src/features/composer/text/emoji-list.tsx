import data from 'emojibase-data/en/compact.json';
import messages from 'emojibase-data/en/messages.json';
import { type EmojiData, EmojiPicker } from 'frimousse';
import classes from './text.module.css';

/** Bundled, so that the page makes no external request. */
const emojis: EmojiData = {
  locale: 'en',
  emojis: data.flatMap(({ unicode, group, label, tags = [] }) =>
    group === undefined || group === 2 ? [] : [{ emoji: unicode, category: group, label, version: 1, tags }],
  ),
  categories: messages.groups.flatMap(({ order, message }) => (order === 2 ? [] : [{ index: order, label: message }])),
  skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' },
};

export default function EmojiList({ onPick }: { onPick: (emoji: string) => void }) {
  return (
    <EmojiPicker.Root
      className={classes.emojis}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
      resolveEmojiData={() => emojis}
    >
      <EmojiPicker.Search className={classes.emojiSearch} aria-label="Search emoji" placeholder="Search" />
      <EmojiPicker.Viewport className={classes.emojiViewport}>
        <EmojiPicker.Loading>Loading…</EmojiPicker.Loading>
        <EmojiPicker.Empty>No emoji found.</EmojiPicker.Empty>
        <EmojiPicker.List components={parts} />
      </EmojiPicker.Viewport>
    </EmojiPicker.Root>
  );
}

const parts: Parameters<typeof EmojiPicker.List>[0]['components'] = {
  CategoryHeader: ({ category, ...props }) => (
    <div {...props} className={classes.emojiHeader}>
      {category.label}
    </div>
  ),
  Emoji: ({ emoji, ...props }) => (
    <button type="button" {...props} className={classes.emoji} data-active={emoji.isActive || undefined}>
      {emoji.emoji}
    </button>
  ),
};
