import { createContext, memo, type ReactNode, use } from 'react'

/* The content of a table comes by context, so that a change of the content does not render the table itself again. */

/** The parts of the table's frame that are rendered by the screen. */
export type TableParts = Partial<
  Record<'header' | 'filter' | 'pagination' | 'preferences' | 'footer' | 'empty', ReactNode>
>

export const PartsContext = createContext<TableParts>({})

const Part = ({ name }: { name: keyof TableParts }) => use(PartsContext)[name]

/** Elements that stay the same: each shows the current content of its part. */
export const parts = {
  header: <Part name="header" />,
  filter: <Part name="filter" />,
  pagination: <Part name="pagination" />,
  preferences: <Part name="preferences" />,
  footer: <Part name="footer" />,
  empty: <Part name="empty" />,
} as const satisfies TableParts

/** The content of a column in the row at this position of the page. */
export type CellAt = (column: string, index: number) => ReactNode

export const CellsContext = createContext<CellAt>(() => null)

type CellProps = { column: string; index: number }

export const Cell = memo(({ column, index }: CellProps) => use(CellsContext)(column, index))
