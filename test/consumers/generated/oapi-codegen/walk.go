// Does the walk of README.md with a client that oapi-codegen made from /openapi-3.1.json: walk URL TOKEN.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	petstore "petstore/client"
)

func clientAt(url, token string) *petstore.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	return must(petstore.NewClientWithResponses(url, petstore.WithRequestEditorFn(authorize)))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

// some returns the value of an expected response, or ends the program with the response that came instead.
func some[T any](value *T, body []byte) T {
	if value == nil {
		fmt.Fprintln(os.Stderr, string(body))
		os.Exit(1)
	}
	return *value
}

func main() {
	ctx := context.Background()
	anyone, staff := clientAt(os.Args[1], ""), clientAt(os.Args[1], os.Args[2])

	price, currency := "250.00", petstore.PetRequestCurrencyUSD
	request := petstore.PetRequest{Name: "Biscuit", Species: petstore.PetRequestSpeciesDOG, AgeMonths: 14, Price: &price, Currency: &currency}
	created := must(staff.CreatePetWithResponse(ctx, &petstore.CreatePetParams{}, request))
	pet := some(created.JSON201, created.Body)
	species := petstore.ListPetsParamsSpeciesDOG
	listed := must(anyone.ListPetsWithResponse(ctx, &petstore.ListPetsParams{Species: &species}))
	pets := some(listed.JSON200, listed.Body)
	placed := must(anyone.CreateOrderWithResponse(ctx, &petstore.CreateOrderParams{}, petstore.OrderRequest{PetId: *pet.Id}))
	order := some(placed.JSON201, placed.Body)
	payment := petstore.PaymentRequest{Amount: "250.00", Currency: petstore.PaymentRequestCurrencyUSD}
	card := petstore.BankCard{Object: petstore.BankCardObjectCard, Number: "4242424242424242", ExpMonth: 12, ExpYear: 2031}
	if err := payment.Source.FromBankCard(card); err != nil {
		must(err, err)
	}
	paid := must(anyone.CreateOrderPaymentWithResponse(ctx, *order.Id, &petstore.CreateOrderPaymentParams{}, payment))
	masked := must(some(paid.JSON201, paid.Body).Source.AsMaskedBankCard())
	for until := time.Now().Add(30 * time.Second); *order.Status != petstore.OrderStatusApproved && time.Now().Before(until); {
		read := must(anyone.GetOrderWithResponse(ctx, *order.Id, &petstore.GetOrderParams{}))
		order = some(read.JSON200, read.Body)
	}

	names := []string{}
	for _, pet := range pets.Data {
		names = append(names, pet.Name)
	}
	result := map[string]any{"listed": names, "last4": masked.Last4, "status": order.Status}
	fmt.Println(string(must(json.Marshal(result))))
}
