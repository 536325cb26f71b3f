export default function EmojiList({ onPick }: { onPick: (emoji: string) => void }) {
  return (
    <button type="button" onClick={() => onPick('🙂')}>
      🙂
    </button>
  );
}
