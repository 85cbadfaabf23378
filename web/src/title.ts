/** The window's title: that of the page or, over it, a call to a person in another window. */

let page = "";
let call = "";

const show = (): void => {
  document.title = call || page;
};

/** Sets the title of the page, which waits while somebody is called. */
export function title(text: string): void {
  page = text;
  show();
}

/** Calls by the title; an empty text ends that. */
export function callBy(text: string): void {
  call = text;
  show();
}
