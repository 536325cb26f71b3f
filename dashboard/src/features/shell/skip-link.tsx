import classes from './shell.module.css';

export const contentId = 'content';

/** Leads over the bars to what the page is about, for people who use the keyboard. */
export function SkipLink() {
  return (
    <a
      href={`#${contentId}`}
      className={classes.skip}
      onClick={(event) => {
        // The address stays as it is.
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
