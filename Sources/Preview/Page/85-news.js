// A page that is served hears when there is another; what is chosen stays, as the fragment has it.
function showBanner(text) {
  byId("banner").hidden = text === "";
  byId("banner").textContent = text;
}

function listenForNews() {
  if (!location.protocol.startsWith("http")) return;
  const news = new EventSource("/news");
  news.addEventListener("page", () => location.reload());
  news.addEventListener("trouble", event => showBanner(event.data));
}
