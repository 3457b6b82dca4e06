(() => {
  "use strict";
  const table = document.getElementById("overview"), box = document.getElementById("controls");
  if (!table || !box) return;
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const input = document.createElement("input");
  input.type = "search";
  input.setAttribute("aria-label", box.dataset.label);
  input.placeholder = box.dataset.label;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase() + " " + row.dataset.status;
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
  box.append(input);
  const key = (row, column) => {
    const cell = row.cells[column], value = cell.dataset.v;
    return value === undefined ? cell.textContent : value === "" ? -Infinity : Number(value);
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      rows.sort((a, b) => {
        const x = key(a, column), y = key(b, column);
        return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
      });
      body.append(...rows);
    });
  });
})();
