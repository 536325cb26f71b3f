import classes from './shell.module.css';

export const contentId = 'content';

/** Lets keyboard users skip the navigation. */
export function SkipLink() {
  return (
    <a
      href={`#${contentId}`}
      className={classes.skip}
      onClick={(event) => {
        // Keep the address unchanged.
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      Skip to content
    </a>
  );
}
