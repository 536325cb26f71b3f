/** How long a dialog may take to open. After that, keys go to the page again. */
const maxMs = 5_000;

export interface Typed {
  text: string;
  isEntered: boolean;
}

export interface TypeAhead {
  /** What was typed until now, and whether Enter came last. Keys go to the page again. */
  end(): Typed;
}

/**
 * Collects what people type while a dialog opens, so that no letter is lost and none reaches the field or the shortcuts of the page
 * behind it.
 */
export function collectTyping(target: EventTarget = window): TypeAhead {
  let text = '';
  let isEntered = false;
  const onKeyDown = (event: Event) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event as KeyboardEvent;
    if (ctrlKey || metaKey || altKey || isComposing) return;
    if (key === 'Backspace') text = [...text].slice(0, -1).join('');
    else if ([...key].length === 1) text += key;
    else if (key !== 'Enter') return;
    isEntered = key === 'Enter';
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  target.addEventListener('keydown', onKeyDown, { capture: true });
  const timer = setTimeout(stop, maxMs);
  function stop() {
    clearTimeout(timer);
    target.removeEventListener('keydown', onKeyDown, { capture: true });
  }
  return {
    end() {
      stop();
      return { text, isEntered };
    },
  };
}
