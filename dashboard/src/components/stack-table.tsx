import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stack-table.module.css';

/**
 * A table whose rows become cards when it is narrow: the first cell on top, the others below with their `data-label`. A cell with
 * `data-line` gets a separate line. `cellWidth` is the width that the widest of these cells needs.
 */
export function StackTable({
  label,
  cellWidth = 140,
  children,
}: {
  label: string;
  cellWidth?: number;
  children: ReactNode;
}) {
  return (
    <Box className={classes.frame} style={{ '--cell-width': `${cellWidth}px` }}>
      <Table aria-label={label} verticalSpacing="sm" className={classes.table}>
        {children}
      </Table>
    </Box>
  );
}
