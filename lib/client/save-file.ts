/** Downloads a file that the console itself has made. */
export function saveFile(name: string, content: Blob): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(content)
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(anchor.href)
}
